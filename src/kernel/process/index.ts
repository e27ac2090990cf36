export { runToEnd } from './capture.ts';
export type {
  CaptureRequest,
  CapturedEnd,
  Child,
  ChildExit,
  Containment,
  ContainmentLayer,
  LeaderEnd,
  NamedProcess,
  Origin,
  SpawnRequest,
} from './contract.ts';
export { detectContainment, type ContainmentReport, type LayerReport } from './detect.ts';
export { startDialogue, type Dialogue } from './dialogue.ts';
export { definedVariables } from './environment.ts';
export type { StartFailureReason } from './errors.ts';
export { isSame, processIdentity, signalIfSame, type ProcessIdentity } from './identity.ts';
export { adopt, endLeftovers, type Adopted, type LeftoverEnd, type LeftoverState } from './leftovers.ts';
export { createReaper, type Reaper } from './reaper.ts';
export type { SessionRecord } from './record.ts';
export { start } from './start.ts';
