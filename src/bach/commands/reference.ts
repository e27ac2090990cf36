import { didYouMean } from '../../kernel/text/index.ts';
import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { readReference, referenceFiles, slugOf, type Reference, type ReferenceAsset, type ReferenceSection } from '../store/index.ts';
import { noReferenceEntry } from './errors.ts';

export interface ReferenceInput {
  /** The words of the query as they were given; none lists what there is. */
  readonly words: readonly string[];
}

/** `bach reference`: the headings of the reference, or what matches a query. It needs no Bachfile. */
export async function referenceVerb({ words }: ReferenceInput, _context: VerbContext): Promise<VerbResult> {
  const reference = readReference(referenceFiles());
  const query = words.join(' ').trim();
  return query === '' ? topics(reference) : answer(reference, query);
}

function topics({ sections, assets }: Reference): VerbResult {
  const files = [...new Set(sections.map(({ file }) => file))];
  const width = Math.max(...[...sections, ...assets].map(({ slug }) => slug.length));
  const row = (slug: string, title: string): string => `  ${slug.padEnd(width)}  ${title}`;
  const pages = files.flatMap((file) => [
    nameOf(file),
    ...sections.filter((section) => section.file === file).map(({ slug, heading }) => row(slug, heading)),
  ]);
  const lines = ['Reference topics:', ...pages, '', 'Embedded assets:', ...assets.map(({ slug, title }) => row(slug, title))];
  const json = {
    topics: sections.map(({ file, slug, heading, level }) => ({ file, slug, heading, level })),
    assets: assets.map(({ file, slug, title }) => ({ file, slug, title })),
  };
  return { exit: 0, json, text: lines.join('\n') };
}

interface Matches {
  readonly sections: readonly { readonly section: ReferenceSection; readonly text: string }[];
  readonly assets: readonly ReferenceAsset[];
}

function answer(reference: Reference, query: string): VerbResult {
  const { sections, assets } = matchesOf(reference, normal(query));
  if (sections.length + assets.length === 0) throw noReferenceEntry({ query, hint: hintFor(reference, query) });
  const json = {
    query,
    sections: sections.map(({ section: { file, slug, heading }, text }) => ({ file, slug, heading, text })),
    assets: assets.map(({ file, slug, title, content }) => ({ file, slug, title, content })),
  };
  return { exit: 0, json, text: [...sections.map(({ text }) => text), ...assets.map(assetText)].join('\n\n') };
}

/** The most exact kind of match alone; an asset that is only alike never hides the section that was named. */
function matchesOf({ sections, assets }: Reference, query: string): Matches {
  const named = assets.filter((asset) => namesOf(asset).includes(query));
  if (named.length > 0) return { sections: [], assets: named };
  const alike = assets.filter((asset) => namesOf(asset).some((name) => name.includes(query)));
  const exact = outermost(sections.filter((section) => isNamed(section, query))).map((section) => ({ section, text: section.whole }));
  if (exact.length + alike.length > 0) return { sections: exact, assets: alike };
  const mentioning = sections.filter(({ own }) => normal(own).includes(query));
  return { sections: mentioning.map((section) => ({ section, text: section.own })), assets: [] };
}

/** A section that stands inside another one is printed with that. */
function outermost(sections: readonly ReferenceSection[]): readonly ReferenceSection[] {
  const holds = (outer: ReferenceSection, inner: ReferenceSection): boolean =>
    outer !== inner && outer.file === inner.file && outer.whole.includes(inner.whole);
  return sections.filter((section) => !sections.some((other) => holds(other, section)));
}

function namesOf({ file, slug, title }: ReferenceAsset): readonly string[] {
  return [normal(file), nameOf(normal(file)), slug, normal(title)];
}

function isNamed({ slug, heading }: ReferenceSection, query: string): boolean {
  return normal(heading) === query || slug === query || (query.includes('-') && slug.startsWith(query));
}

function hintFor({ sections, assets }: Reference, query: string): string {
  return didYouMean(slugOf(query), [...sections, ...assets].map(({ slug }) => slug));
}

function assetText({ title, content }: ReferenceAsset): string {
  return ['# ' + title, '', '```json', content, '```'].join('\n');
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

/** Case and the width of spaces tell nothing apart. */
function normal(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
