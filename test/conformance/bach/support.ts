import { expect } from 'vitest';
import { connectSqlite } from '../../../src/kernel/sql/index.ts';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import type { CliOptions } from '../../support/cli.ts';

export const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ';

export interface Fault {
  readonly severity: string;
  readonly file: string;
  readonly range: { readonly start: Place; readonly end: Place };
  readonly message: string;
  readonly code: string;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** What `bach validate --json` finds wrong with a Bachfile. */
export async function faultsOf(text: string, options?: CliOptions): Promise<readonly Fault[]> {
  const { exit, stdout } = await bachProject(text).bach(['validate', '--json'], options);
  const { valid, diagnostics } = JSON.parse(stdout) as { valid: boolean; diagnostics: readonly Fault[] };
  expect(valid).toBe(diagnostics.length === 0);
  expect(exit).toBe(valid ? 0 : 1);
  return diagnostics;
}

/** The one message of a faulty Bachfile. */
export async function faultOf(text: string, options?: CliOptions): Promise<string> {
  const faults = await faultsOf(text, options);
  expect(faults).toHaveLength(1);
  return faults[0]?.message ?? '';
}

/** The description of `shell/probe`, whose expression is given, in a Bachfile that begins with `before`. */
export async function valueOf(expression: string, before = '', options?: CliOptions): Promise<string> {
  const project = bachProject(`${before}\nshell "probe" {\n  description = ${expression}\n}\n`);
  const { stdout, stderr } = await project.bach(['list', '--json'], options);
  expect(stderr).toBe('');
  const { targets } = JSON.parse(stdout) as { targets: readonly { name: string; description: string }[] };
  return targets.find(({ name }) => name === 'shell/probe')?.description ?? '';
}

/** Lines without their time, so that they can be compared. */
export function linesOf(stdout: string): readonly string[] {
  const lines = stdout.endsWith('\n') ? stdout.slice(0, -1).split('\n') : stdout.split('\n');
  return lines.map((line) => line.replace(new RegExp(`^${TIME} `), ''));
}

/** Rows of the state database. */
export function rowsOf(project: BachProject, sql: string): readonly Record<string, unknown>[] {
  const connection = connectSqlite(project.at('.bach/state.db'));
  try {
    return connection.prepare(sql).all() as readonly Record<string, unknown>[];
  } finally {
    connection.close();
  }
}

/** Changes the state database behind the program's back. */
export function changeState(project: BachProject, sql: string): void {
  const connection = connectSqlite(project.at('.bach/state.db'));
  try {
    connection.exec(sql);
  } finally {
    connection.close();
  }
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A shell target with what else is in its block. */
export function shell(name: string, script: string, ...more: readonly string[]): string {
  return `shell "${name}" {\n  shell = ${JSON.stringify(script)}\n${more.map((line) => `  ${line}\n`).join('')}}\n`;
}

/** What a verb prints that succeeds without a word on standard error. */
export async function printedBy(project: BachProject, ...argv: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await project.bach(argv);
  expect({ argv, exit, stderr }).toEqual({ argv, exit: 0, stderr: '' });
  return stdout;
}

/** What is said on standard error by a verb that is refused with this exit code and prints nothing. */
export async function refusalOf(project: BachProject, code: number, ...argv: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await project.bach(argv);
  expect({ argv, exit, stdout }).toEqual({ argv, exit: code, stdout: '' });
  return stderr;
}

/** The log of a target of the run that printed this; slashes of its name are written as in file names. */
export function logOf(project: BachProject, stdout: string, target: string): string {
  return project.read(`.bach/runs/${runIdIn(stdout)}/${target}.log`);
}

/** The id of a run of these targets, as its summary names it. */
export async function runIdOf(project: BachProject, ...targets: readonly string[]): Promise<string> {
  return runIdIn((await project.bach(['run', ...targets])).stdout);
}
