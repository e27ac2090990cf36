import { isAscii } from 'node:buffer';
import { hash } from 'node:crypto';

const NEWLINE = '\n';
const DIGEST = /^[0-9a-f]{64}$/;

/** A text behind a line with the word for its form and its digest. */
export function sealed(format: string, text: string): string {
  return `${format} ${sha256(text)}${NEWLINE}${text}`;
}

/** The bytes of the text; nothing for what is not whole, or of another form. */
export function unsealed(format: string, bytes: Uint8Array): Buffer | undefined {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = whole.indexOf(NEWLINE);
  if (end < 0) return undefined;
  const [found, digest = ''] = whole.toString('latin1', 0, end).split(' ');
  const rest = whole.subarray(end + 1);
  return found === format && DIGEST.test(digest) && sha256(rest) === digest ? rest : undefined;
}

export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** Half the time where each byte is a letter. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
