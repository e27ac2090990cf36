/** Ways in which a program may show a value; each takes it with what stands around it. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  percent: (text) => percentEncoded(text, () => true),
  json: (text) => JSON.stringify(text).slice(1, -1),
  hex: (text) => Buffer.from(text).toString('hex'),
};

/** More forms of the same, for the tables of the ordinary tests. */
export const MORE_ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  ...ENCODINGS,
  'base64 without padding': (text) => Buffer.from(text).toString('base64').replace(/=+$/, ''),
  'base64 in lines': (text) => inLines(Buffer.from(text).toString('base64'), 76),
  'hex in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'hex in lines': (text) => inLines(Buffer.from(text).toString('hex'), 60),
  'percent where needed': encodeURIComponent,
  'percent in small letters': (text) => percentEncoded(text, () => true).toLowerCase().replace(/%25/g, '%25'),
  'percent now and then': (text) => percentEncoded(text, (index) => index % 3 === 1),
  form: (text) => new URLSearchParams({ '': text }).toString().slice(1),
  'json with escaped slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'json in numbers': (text) => Array.from({ length: text.length }, (_, at) => unicodeEscape(text, at)).join(''),
  'json in numbers now and then': (text) =>
    JSON.stringify(text).slice(1, -1).replace(/\\?[A-Za-z0-9]/g, (found, at: number) => (found.length === 1 && at % 4 === 0 ? unicodeEscape(found, 0) : found)),
  'json in json': (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  'json in json in json': (text) => JSON.stringify(JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1)).slice(1, -1),
  'json for ASCII': (text) => JSON.stringify(text).slice(1, -1).replace(/[^ -~]/g, (found) => unicodeEscape(found, 0)),
  'colours within': (text) => [...text].join('\x1b[1;31m'),
};

function percentEncoded(text: string, which: (index: number) => boolean): string {
  const bytes = [...Buffer.from(text)];
  const isPlain = (byte: number): boolean => byte > 32 && byte < 127 && byte !== 37;
  return bytes.map((byte, index) => (isPlain(byte) && !which(index) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)).join('');
}

function unicodeEscape(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
}

function inLines(text: string, width: number): string {
  return text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n');
}
