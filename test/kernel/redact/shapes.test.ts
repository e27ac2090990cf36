import { describe, expect, test } from 'vitest';
import { createRedaction, createRedactor } from '../../../src/kernel/redact/index.ts';
import { TOKENS } from '../../support/redact/tokens.ts';

const { redactText } = createRedaction([]);

describe('a token is masked by its looks', () => {
  test.each(Object.entries(TOKENS))('%s', (_name, { text, secret }) => {
    const masks = secret.replace(/[^\n]/g, '*');
    const proc = (shown: string): string => shown.replace('\nProc-', '\n****-');
    for (const [before, after] of [['', ''], ['say "', '" again'], ['x=', '\n'], ['**', ' **'], ['構', '構'], ['\\n', '\\"'], ['\x1b[31m', '\x1b[0m'], ['%22', '%22']]) {
      expect(redactText(`${before}${text}${after}`)).toBe(proc(`${before}${text.replace(secret, masks)}${after}`));
    }
  });

  test('also when it goes on and on, chunk by chunk', () => {
    const redactor = createRedactor([]);
    const parts = ['token ghp_0123456789abcdefghijABCDEFGHIJ012345', 'more'.repeat(1000), 'evenMore end'];
    const masked = parts.map((part) => redactor.push(Buffer.from(part)).toString()).join('') + redactor.flush().toString();
    expect(masked).toBe(`token ${'*'.repeat(40 + 4000 + 8)} end`);
  });

  test('but not for ever: a key without an end', () => {
    const body = 'AbCd '.repeat(20_000);
    const masked = redactText(`-----BEGIN PRIVATE KEY-----\n${body}`);
    expect(masked.endsWith('AbCd AbCd ')).toBe(true);
  });
});

describe('what only resembles a token stays', () => {
  test.each([
    'commit 0123456789abcdef0123456789abcdef01234567',
    'sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    'id 0197f0e2-5d3b-7cc1-b1a0-3f1d2e4c5b6a',
    'run 20260616T100000.000000000Z-0a1b2c',
    '/home/user/project/src/kernel/redact/index.ts:12:34',
    'task-0123456789abcdef0123456789abcdef',
    'disk-sk-learn and a mask-image',
    'class="sk-loading-spinner-container"',
    'ghp_short and github_pat_short',
    'npm_config_user_agent=npm/10 npm_lifecycle_event=test',
    'AKIA is a prefix, AKIASHORT too',
    'https://example.com:8080/path?user=a@b',
    'http://localhost:3000?mail=a@b.example',
    'git@github.com:owner/repository.git ssh://git@github.com:22/x',
    'https://user@example.com/x',
    'the bearer of bad news, Bearer authentication',
    'Authorization: none of it',
    'eyJhbGciOiJIUzI1NiJ9 alone is no token, nor sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozfQ==',
    '-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\n-----END CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\n-----END PUBLIC KEY-----',
    "if (text.startsWith('-----BEGIN PRIVATE KEY-----')) return;",
    'xox and xoxo-love, SG.short.short, hf_hub_download',
  ])('%j', (text) => {
    expect(redactText(text)).toBe(text);
  });
});

test.each(Object.entries(TOKENS))('JSON with it can still be read, also JSON in JSON: %s', (_name, { text, secret }) => {
  const once = JSON.stringify({ said: `${text}\n`, list: [text, '"'] });
  const twice = JSON.stringify({ said: once });
  const read = JSON.parse(redactText(once));
  expect(read).toMatchObject({ list: [expect.any(String), '"'] });
  expect(JSON.stringify(read)).not.toContain(JSON.stringify(secret).slice(1, -1));
  expect(JSON.parse(JSON.parse(redactText(twice)).said)).toMatchObject({ list: [expect.any(String), '"'] });
});

test('the quote after an unfinished key stays escaped, however the text is cut', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF';
  const text = JSON.stringify({ said: JSON.stringify({ key, after: 'x' }) });
  expect(JSON.parse(JSON.parse(redactText(text)).said)).toMatchObject({ after: 'x' });
  for (let cut = 0; cut <= text.length; cut++) {
    const redactor = createRedactor([]);
    const parts = [redactor.push(Buffer.from(text.slice(0, cut))), redactor.push(Buffer.from(text.slice(cut))), redactor.flush()];
    expect(Buffer.concat(parts).toString()).toBe(redactText(text));
  }
});

test('an address whose password was masked in part is left as it is', () => {
  const { redactText: redact } = createRedaction(['with/a slash#']);
  const once = redact('https://user:xywith/a slash#zz@example.com');
  expect(once).toBe('https://user:xy*************zz@example.com');
  expect(redact(once)).toBe(once);
});
