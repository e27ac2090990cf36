import { describe, expect, test } from 'vitest';
import { secretsFrom } from '../../../src/kernel/redact/index.ts';

const isSecret = (name: string, value: string): boolean => secretsFrom({ env: { [name]: value } }).length > 0;

describe('a value is a secret by the name of its variable', () => {
  test.each([
    'GITHUB_TOKEN', 'token', 'CLIENT_SECRET', 'API_KEY', 'apiKey', 'MONKEY', 'DB_PASSWORD', 'MYSQL_PASSWD', 'AWS_CREDENTIALS',
    'BASIC_AUTH', 'HTTP_AUTHORIZATION', 'OAUTH2', 'AUTHORISATION', 'AUTHOR_TOKEN', 'KEYBOARD_PASSWORD',
  ])('%s', (name) => {
    expect(isSecret(name, 'Tr0ub4dor&3')).toBe(true);
  });

  test.each(['PATH', 'HOME', 'GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'XAUTHORITY', 'KEYBOARD', 'KEYMAP', 'KEYWORDS', 'TOKENIZERS', 'PASSPORT'])('not %s', (name) => {
    expect(isSecret(name, 'Tr0ub4dor&3')).toBe(false);
  });

  test('of at least 8 characters, of any script and without the space around', () => {
    expect(isSecret('TOKEN', '1234abcd')).toBe(true);
    expect(isSecret('TOKEN', '123abcd')).toBe(false);
    expect(isSecret('TOKEN', '  123abcd ')).toBe(false);
    expect(isSecret('TOKEN', '構造体の鍵は秘密')).toBe(true);
    expect(isSecret('TOKEN', '🔑🗝🔒🔓🔏🔐🛡')).toBe(false);
  });

  test('configured names add and take away', () => {
    const env = { PIN_CODE: '/tmp/12345678', CACHE_KEY: 'linux-x64-abc', API_KEY: 'Tr0ub4dor&3', EMPTY_KEY: undefined };
    expect(secretsFrom({ env, extra: ['PIN_CODE'], except: ['CACHE_KEY'] })).toEqual(['/tmp/12345678', 'Tr0ub4dor&3']);
    expect(secretsFrom({ env: { A_KEY: 'Tr0ub4dor&3', B_KEY: 'Tr0ub4dor&3' } })).toHaveLength(1);
  });
});

describe('what is plainly no secret stays visible', () => {
  test.each([
    ['SSH_AUTH_SOCK', '/tmp/ssh-XXXXabcd/agent.4711'],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/home/user/key.json'],
    ['KEY_PATHS', '/tmp/keys:/usr/share/keys'],
    ['KEY_FILE', 'config/keys/dev.pem'],
    ['KEY_FILE', '~/.ssh/id_ed25519'],
    ['KEY_FILE', './keys/deploy'],
    ['KEY_FILE', 'C:\\keys\\deploy.pem'],
    ['AUTH_METHOD', 'publickey'],
    ['REQUIRE_AUTH', 'disabled'],
    ['KEY_MODE', 'Production'],
    ['DB_PASSWORD', 'postgres'],
    ['DB_PASSWORD', 'xxxxxxxx'],
    ['DB_PASSWORD', '********'],
  ])('%s=%s', (name, value) => {
    expect(isSecret(name, value)).toBe(false);
  });
});

describe('in doubt it is one', () => {
  test.each([
    ['SECRET_KEY', '/9j4AAQSkZJRgABAQ/AAAQABAAD'],
    ['SECRET_KEY', '/no-such-folder-here/x'],
    ['DB_PASSWORD', 'correcthorsebatterystaple'],
    ['DB_PASSWORD', '8675309867'],
    ['DATABASE_AUTH', 'postgres://user:password@db/x'],
    ['WEBHOOK_SECRET', 'https://hooks.example.com/services/T0001/B0001/abcdefghijABCDEFGHIJ0123'],
    ['AUTH_URL', 'https://example.com/login?code=abc'],
    ['API_KEY', '0197f0e2-5d3b-7cc1-b1a0-3f1d2e4c5b6a'],
    ['API_KEY', '0123456789abcdef0123456789abcdef'],
    ['AUTH_EMAIL', 'robot@example.com'],
    ['API_KEY', '4111111111111111'],
    ['AUTH_TOKEN', '2026-1234-5678'],
    ['AUTH_PIN', '12345678'],
    ['DEPLOY_TOKEN', 'https://deploy.example.com/short'],
  ])('%s=%s', (name, value) => {
    expect(isSecret(name, value)).toBe(true);
  });
});
