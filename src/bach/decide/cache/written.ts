/** SHA-256 of a text in UTF-8, in hex. */
export type Digest = (text: string) => string;

/** What ends every text that a fingerprint is made of; no declared text can hold one. */
export const NUL = '\0';

/** Each text with its end. */
export function written(...texts: readonly string[]): string {
  return `${texts.join(NUL)}${NUL}`;
}
