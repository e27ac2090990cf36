import { expect } from 'vitest';
import {
  linkProject,
  readBachfile,
  type Bachfile,
  type FactAnswer,
  type GraphAdditions,
  type ImportResult,
  type Project,
  type SourceFile,
  type Target,
} from '../../../src/bach/model/index.ts';
import { pack } from '../../../src/bach/store/kept/pack.ts';
import { unpack } from '../../../src/bach/store/kept/unpack.ts';
import { formatDiagnostic, type Diagnostic } from '../../../src/kernel/text/index.ts';

export interface Facts {
  readonly vars?: Readonly<Record<string, string>>;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly answers?: Readonly<Record<string, FactAnswer>>;
  /** What there is to import, by path from the folder of the Bachfile. */
  readonly files?: Readonly<Record<string, string>>;
  readonly additions?: readonly GraphAdditions[];
}

export interface Read extends Omit<Bachfile, 'diagnostics'> {
  readonly project: Project | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads and links a Bachfile that stands in the folder `/p`, without touching a disk. */
export function read(text: string | Uint8Array, facts: Facts = {}): Read {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const found = readBachfile(bytes, {
    file: 'Bachfile',
    canonical: '/p/Bachfile',
    overrides: Object.entries(facts.vars ?? {}).map(([name, value]) => ({ name, value })),
    profiles: facts.profiles ?? [],
    environment: facts.environment ?? {},
    answers: new Map(Object.entries(facts.answers ?? {})),
    readImport: (importer, path) => importFrom({ Bachfile: text, ...facts.files }, importer, path),
  });
  if (found.decoded === undefined) return { ...found, project: undefined };
  const { project, diagnostics } = linkProject(found.decoded, facts.additions ?? []);
  // Each project that any test reads is one that has to come back from `.bach/cache` as it was.
  expect(unpack(pack(found.decoded) ?? '')).toStrictEqual(found.decoded);
  return { ...found, project, diagnostics: [...found.diagnostics, ...diagnostics] };
}

function importFrom(files: Readonly<Record<string, string | Uint8Array>>, importer: SourceFile, path: string): ImportResult {
  const { pathname } = new URL(path, `file://${importer.canonical}`);
  const text = files[pathname.slice('/p/'.length)];
  if (text === undefined) return { kind: 'failed', message: `cannot read ${pathname}: no such file` };
  const shown = new URL(path, `file:///${importer.shown}`).pathname.slice(1);
  return { kind: 'file', canonical: pathname, shown, bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text };
}

/** The project of a file without faults; a project block is put before it, so that the text begins on line 2. */
export function projectOf(text: string, facts?: Facts): Project {
  const { project, diagnostics } = read(`project "p" {}\n${text}`, facts);
  expect(diagnostics.map(formatDiagnostic)).toEqual([]);
  if (project === undefined) throw new Error('nothing was read');
  return project;
}

export function targets(text: string, facts?: Facts): ReadonlyMap<string, Target> {
  return projectOf(text, facts).targets;
}

/** `shell "x"` with these attributes. */
export function shell(attributes: string, facts?: Facts): Target | undefined {
  return targets(`shell "x" {\n${attributes}\n}`, facts).get('shell/x');
}

/** What is said about a file, without the name of the Bachfile; its text begins on line 2. */
export function faults(text: string, facts?: Facts): readonly string[] {
  const { project, diagnostics } = read(`project "p" {}\n${text}`, facts);
  expect(project).toBeUndefined();
  return diagnostics.map((each) => formatDiagnostic(each).replace(/^Bachfile:/, ''));
}

/** The value of an expression in a general attribute. */
export function valueIn(expression: string, text = '', facts?: Facts): string | undefined {
  const target = targets(`${text}\nshell "value-of" { description = ${expression} }`, facts).get('shell/value-of');
  return target?.description;
}

/** `KEY=value` lines. */
export function environmentOf(target: Pick<Target, 'environment'> | undefined): readonly string[] | undefined {
  return target?.environment.map(({ name, value }) => `${name}=${value}`);
}
