import { callAnywhere } from './call.ts';
import type { Git, GitHost, GitVersion } from './contract.ts';
import { gitTooOld } from './errors.ts';

const FLOOR = { major: 2, minor: 34 };

/**
 * Finds git and checks that it is new enough for everything in this room.
 * Throws `git-missing` and `git-too-old`.
 *
 * @example
 * const git = await findGit({ clock: systemClock(), env: process.env, marker: runId });
 */
export async function findGit(host: GitHost): Promise<Git> {
  const version = await gitVersion(host);
  if (!isAtLeast(version, FLOOR)) throw gitTooOld({ version: version.text, needed: `${FLOOR.major}.${FLOOR.minor}` });
  return { ...host, version };
}

/** The version of git, whatever it is. Throws `git-missing`. */
export async function gitVersion(host: GitHost): Promise<GitVersion> {
  const { stdout } = await callAnywhere(host, { what: 'tell its version', args: ['version'], cwd: '/' });
  return readVersion(stdout.toString());
}

/** Exported for its test. What cannot be read counts as too old, with git's own words as text. */
export function readVersion(said: string): GitVersion {
  const text = said.replace(/^git version /, '').trim();
  const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)/.exec(text) ?? [];
  return { major: Number(major), minor: Number(minor), text };
}

/** Throws `git-too-old` unless git is of version 2.`minor` or later. */
export function requireGit({ version }: Git, minor: number): void {
  if (!isAtLeast(version, { major: 2, minor })) throw gitTooOld({ version: version.text, needed: `2.${minor}` });
}

function isAtLeast({ major, minor }: GitVersion, floor: { readonly major: number; readonly minor: number }): boolean {
  return major > floor.major || (major === floor.major && minor >= floor.minor);
}
