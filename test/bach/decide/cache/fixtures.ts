import { createHash } from 'node:crypto';
import { Fingerprints, type Fingerprint, type Look } from '../../../../src/bach/decide/index.ts';
import type { EnvironmentEntry, Project, Target } from '../../../../src/bach/model/index.ts';
import { project, target } from '../look/fixtures.ts';

export const NOTHING_SEEN: Look = { inputs: [], missing: [] };

export function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Texts with the end of each, as the specification writes them. */
export function ended(...texts: readonly string[]): string {
  return texts.map((text) => `${text}\0`).join('');
}

export function command(name: string, fields: Partial<Target> = {}): Target {
  return target(name, { runnable: true, operation: { kind: 'command', argv: ['make', name] }, ...fields });
}

export function entries(record: Readonly<Record<string, string>>): readonly EnvironmentEntry[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}

export function paths(...all: readonly string[]): Target['outputs'] {
  return all.map((path) => ({ name: '', path }));
}

interface World extends Partial<Project> {
  readonly environmentFiles?: readonly EnvironmentEntry[];
}

export function fingerprintsOf(targets: readonly Target[], { environmentFiles = [], ...fields }: World = {}): Fingerprints {
  return new Fingerprints({ project: { ...project({ targets }), ...fields }, environmentFiles, digest: sha });
}

/** Of the last of some targets, each learned after those before it. */
export function learned(targets: readonly Target[], look: Look = NOTHING_SEEN, world: World = {}): Fingerprint {
  const fingerprints = fingerprintsOf(targets, world);
  const last = targets.at(-1)!;
  for (const each of targets.slice(0, -1)) fingerprints.learn(each, NOTHING_SEEN);
  return fingerprints.learn(last, look);
}
