import type { EnvironmentEntry } from './project.ts';

/** `NAME = "value"`, `"NAME": "value"`, with what a backslash stands before. Bounded, as the text may be anything. */
const ASSIGNED = /(?<![\w-])([A-Za-z_][\w-]{0,200})"?[ \t]*[=:][ \t]*"((?:[^"\\\r\n]|\\.){0,20000})"/g;

/** The list form, `"NAME=value"`. */
const LISTED = /"([A-Za-z_][\w-]{0,200})=((?:[^"\\\r\n]|\\.){0,20000})"/g;

/**
 * What a text gives a plain value to, by its look alone. For files that do not parse: more is found than is meant, and
 * none of it may be used but to mask it.
 */
export function writtenEntries(text: string): readonly EnvironmentEntry[] {
  return [ASSIGNED, LISTED].flatMap((form) => [...text.matchAll(form)].map(([, name = '', value = '']) => ({ name, value: unescaped(value) })));
}

/** Other escapes stand for what no secret has. */
function unescaped(value: string): string {
  return value.replace(/\\(["\\])/g, '$1').replace(/([$%])\1\{/g, '$1{');
}
