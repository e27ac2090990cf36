import type { ReferenceFile } from './reference-pages.ts';

/** One heading of a page with what stands below it. */
export interface ReferenceSection {
  readonly file: string;
  readonly slug: string;
  readonly heading: string;
  /** 1 for the title of a page. */
  readonly level: number;
  /** From its heading to the next one of any level. */
  readonly own: string;
  /** With its subsections. */
  readonly whole: string;
}

/** A file that is printed as it is. */
export interface ReferenceAsset {
  readonly file: string;
  readonly slug: string;
  readonly title: string;
  readonly content: string;
}

export interface Reference {
  readonly sections: readonly ReferenceSection[];
  readonly assets: readonly ReferenceAsset[];
}

/** The headings of all pages, in their order, and the schemas. */
export function readReference(files: readonly ReferenceFile[]): Reference {
  const isAsset = ({ path }: ReferenceFile): boolean => path.endsWith('.json');
  return {
    sections: files.filter((file) => !isAsset(file)).flatMap(sectionsOf),
    assets: files.filter(isAsset).map(assetOf),
  };
}

/** A heading as it stands in an address: `Shell Targets` is `shell-targets`. */
export function slugOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly heading: string;
}

function sectionsOf({ path, text }: ReferenceFile): readonly ReferenceSection[] {
  const lines = text.split('\n');
  const headings = headingsOf(lines);
  const textUntil = ({ line }: Heading, next: Heading | undefined): string => lines.slice(line, next?.line).join('\n').trim();
  return headings.map((found, index) => {
    const { heading, level } = found;
    const after = headings.slice(index + 1);
    const own = textUntil(found, after[0]);
    const whole = textUntil(found, after.find((other) => other.level <= level));
    return { file: path, slug: slugOf(heading), heading, level, own, whole };
  });
}

/** A `#` inside a fenced block is a comment of some language. */
function headingsOf(lines: readonly string[]): readonly Heading[] {
  let fenced = false;
  return lines.flatMap((text, line) => {
    if (text.startsWith('```')) fenced = !fenced;
    const [, marks = '', heading = ''] = /^(#{1,6}) +(.*)$/.exec(text) ?? [];
    return fenced || marks === '' ? [] : [{ line, level: marks.length, heading }];
  });
}

function assetOf({ path, text }: ReferenceFile): ReferenceAsset {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { title = name } = JSON.parse(text) as { readonly title?: string };
  return { file: path, slug: slugOf(name.replace(/\.json$/, '')), title, content: text.trimEnd() };
}
