/** What planning needs to know of a target; any richer target type fits by shape. */
export interface GraphTarget {
  /** Canonical, e.g. `shell/test`. */
  readonly name: string;
  readonly kind: 'shell' | 'image' | 'group' | 'pipeline' | 'agent';
  /** It has a command of its own; never true for a composite. */
  readonly runnable: boolean;
  readonly dependsOn: readonly string[];
  /** A pipeline's steps in order, or a group's members. */
  readonly children: readonly string[];
  /** Name of the lock, or nothing. */
  readonly lock: string;
  readonly timeoutMs: number | undefined;
}

export function isComposite(target: GraphTarget): boolean {
  return target.kind === 'group' || target.kind === 'pipeline';
}

/** `from` runs before `to`. */
export interface PlanEdge {
  readonly from: string;
  readonly to: string;
}
