import { readImportLine, type ImportLine } from './import-line.ts';
import { blocksOf } from './block-reader.ts';
import { Findings } from './findings.ts';
import { decodeSource, movedBody, parseHcl, topLines, type Block, type Body, type Span, type TopLine } from './hcl/index.ts';
import { Sources, type Source } from './sources.ts';

/** Deeper is a mistake, and each level takes a part of the stack. */
const DEEPEST = 100;

/** A file of the project as it is known here. */
export interface SourceFile {
  /** Absolute, with all links followed: what tells files apart. */
  readonly canonical: string;
  /** The path in messages: the folder of the importing file joined with the path that is imported. */
  readonly shown: string;
}

export type ImportResult =
  | (SourceFile & { readonly kind: 'file'; readonly bytes: Uint8Array })
  /** `message` is a clause that says why. */
  | { readonly kind: 'failed'; readonly message: string };

/** Reads what a file imports; relative to that file's own folder. */
export type ReadImport = (importer: SourceFile, path: string) => ImportResult;

/** One import that was followed, for a cache to follow again. */
export interface ImportRead {
  /** Canonical. */
  readonly importer: string;
  readonly path: string;
  /** What it led to. */
  readonly canonical: string;
}

export interface LoadedFiles {
  /** All blocks with those of imports in place of them. */
  readonly body: Body;
  readonly sources: Sources;
  readonly findings: Findings;
  readonly imports: readonly ImportRead[];
}

/** Reads a Bachfile and all it imports, as if each file stood where it is imported. */
export function loadFiles(root: SourceFile & { readonly bytes: Uint8Array }, readImport: ReadImport): LoadedFiles {
  const loader = new Loader(readImport);
  const body = loader.load(root, []);
  return { body, sources: loader.sources, findings: loader.findings, imports: loader.imports };
}

class Loader {
  readonly sources = new Sources();
  readonly findings = new Findings(this.sources);
  readonly imports: ImportRead[] = [];
  readonly #readImport: ReadImport;
  readonly #loaded = new Set<string>();

  constructor(readImport: ReadImport) {
    this.#readImport = readImport;
  }

  /** `importers` are the canonical paths that led here. */
  load(file: SourceFile & { readonly bytes: Uint8Array }, importers: readonly string[]): Body {
    this.#loaded.add(file.canonical);
    const { text, diagnostics } = decodeSource(file.bytes);
    const source = this.sources.append(file.shown, text);
    this.#tell(diagnostics, source);
    if (diagnostics.length > 0) return { attributes: [], blocks: [], start: source.base, end: source.base };
    const lines = topLines(text, 'import');
    const imported = lines.map((line) => ({ at: line.start + source.base, body: this.#follow(line, { file, source, importers }) }));
    const body = lines.every(({ closed }) => closed) ? this.#parse(source, lines) : undefined;
    return withImports(body ?? { attributes: [], blocks: [], start: source.base, end: source.base }, imported);
  }

  /** To the parser the lines of imports are blank. */
  #parse(source: Source, lines: readonly TopLine[]): Body {
    const { body, diagnostics } = parseHcl(blanked(source.text, lines));
    this.#tell(diagnostics, source);
    return movedBody(body, source.base);
  }

  #follow(line: TopLine, from: Importing): Body | undefined {
    const { text, base } = from.source;
    const read = readImportLine(text, line);
    const span = { start: line.start + base, end: line.end + base };
    if ('path' in read) return this.#open(read, { ...from, span });
    this.findings.error({ start: read.span.start + base, end: read.span.end + base }, read.fault);
    return undefined;
  }

  #open({ path }: Extract<ImportLine, { path: string }>, { file, importers, span }: Importing & { readonly span: Span }): Body | undefined {
    const read = this.#readImport(file, path);
    if (read.kind === 'failed') return this.#refuse(span, `import ${JSON.stringify(path)}: ${read.message}`);
    this.imports.push({ importer: file.canonical, path, canonical: read.canonical });
    const chain = [...importers, file.canonical];
    const circle = chain.indexOf(read.canonical);
    if (circle >= 0) return this.#refuse(span, `import cycle: ${[...chain.slice(circle), read.canonical].join(' -> ')}`);
    if (this.#loaded.has(read.canonical)) return undefined;
    if (chain.length > DEEPEST) return this.#refuse(span, `import ${JSON.stringify(path)}: imports are more than ${DEEPEST} deep`);
    const body = this.load(read, chain);
    for (const project of blocksOf(body, 'project')) {
      this.findings.error(project.header, `${read.canonical}: imported Bachfile must not declare a project block`);
    }
    return { ...body, blocks: body.blocks.filter(({ type }) => type !== 'project') };
  }

  #refuse(span: Span, message: string): undefined {
    this.findings.error(span, message);
  }

  #tell(diagnostics: Parameters<Findings['syntax']>[0], { base }: Source): void {
    this.findings.syntax(diagnostics.map((one) => ({ ...one, span: { start: one.span.start + base, end: one.span.end + base } })));
  }
}

interface Importing {
  readonly file: SourceFile;
  readonly source: Source;
  readonly importers: readonly string[];
}

function blanked(text: string, lines: readonly Span[]): string {
  let done = 0;
  const pieces: string[] = [];
  for (const { start, end } of lines) {
    pieces.push(text.slice(done, start), text.slice(start, end).replace(/[^\r\n]/g, ' '));
    done = end;
  }
  return [...pieces, text.slice(done)].join('');
}

interface Imported {
  readonly at: number;
  readonly body: Body | undefined;
}

/** Attributes of imported files stand at top level too, where none may stand. */
function withImports(own: Body, imported: readonly Imported[]): Body {
  if (imported.length === 0) return own;
  const places = [
    ...own.blocks.map((block) => ({ at: block.start, blocks: [block] as readonly Block[] })),
    ...imported.map(({ at, body }) => ({ at, blocks: body?.blocks ?? [] })),
  ];
  return {
    ...own,
    attributes: [...own.attributes, ...imported.flatMap(({ body }) => body?.attributes ?? [])],
    blocks: places.toSorted((a, b) => a.at - b.at).flatMap(({ blocks }) => blocks),
  };
}
