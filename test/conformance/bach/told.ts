import { expect } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import type { CliOptions } from '../../support/cli.ts';
import type { Fault } from './support.ts';

export interface Told extends CliOptions {
  /** Further files by path, with marks as in the Bachfile. */
  readonly files?: Readonly<Record<string, string>>;
  /** Flags before the verb. */
  readonly flags?: readonly string[];
}

/**
 * What `bach validate --json` says of a Bachfile in which every place of a fault is written «so»: the messages, before
 * each the code that is not the general one. A fault whose range is not such a place fails the test, and so does a place
 * without fault.
 */
export async function told(marked: string, { files = {}, flags = [], ...options }: Told = {}): Promise<readonly string[]> {
  const { exit, stdout } = await projectOf(marked, files).bach([...flags, 'validate', '--json'], options);
  const { valid, diagnostics } = JSON.parse(stdout) as { valid: boolean; diagnostics: readonly Fault[] };
  expect(valid).toBe(diagnostics.every(({ severity }) => severity !== 'error'));
  expect(exit).toBe(valid ? 0 : 1);
  const wanted = [['Bachfile', whole(marked)] as const, ...Object.entries(files)].flatMap(([file, text]) => placesIn(file, text));
  expect(diagnostics.map(placeOf).toSorted()).toEqual(wanted.toSorted());
  return diagnostics.map(textOf);
}

/** A project of these files, without the marks. */
export function projectOf(marked: string, files: Readonly<Record<string, string>> = {}): BachProject {
  const project = bachProject(plain(whole(marked)));
  for (const [path, text] of Object.entries(files)) project.write(path, plain(text));
  return project;
}

function whole(marked: string): string {
  return /^project\b/m.test(plain(marked)) ? marked : `project "test" {}\n${marked}`;
}

function plain(marked: string): string {
  return marked.replace(/[«»]/g, '');
}

function placesIn(file: string, marked: string): readonly string[] {
  const starts: string[] = [];
  const places: string[] = [];
  for (const { 0: mark, index } of marked.matchAll(/[«»]/g)) {
    const before = plain(marked.slice(0, index)).split('\n');
    const here = `${before.length}:${(before.at(-1) ?? '').length + 1}`;
    if (mark === '«') starts.push(here);
    else places.push(`${file}:${starts.pop()}-${here}`);
  }
  return places;
}

function placeOf({ file, range: { start, end } }: Fault): string {
  return `${file}:${start.line}:${start.column}-${end.line}:${end.column}`;
}

function textOf({ severity, code, message }: Fault): string {
  const name = code === 'bachfile-validation-error' ? '' : `[${code}] `;
  return `${severity === 'error' ? '' : `${severity}: `}${name}${message}`;
}

/** What `bach run --dry-run --json` says of one target. */
export async function planned(text: string, target: string, { files = {}, flags = [], ...options }: Told = {}): Promise<unknown> {
  const { exit, stdout, stderr } = await projectOf(text, files).bach([...flags, 'run', '-d', '--json', target], options);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  const { targets } = JSON.parse(stdout) as { targets: readonly { readonly name: string }[] };
  return targets.find(({ name }) => name === target);
}
