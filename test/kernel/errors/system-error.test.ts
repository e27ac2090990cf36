import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defineError, describeSystemError } from '../../../src/kernel/errors/index.ts';

const at = { path: '/project/out', action: 'write' };

describe('describeSystemError', () => {
  test.each([
    ['ENOSPC', 'disk-full', 'cannot write /project/out: no space left on the device'],
    ['EDQUOT', 'disk-full', 'cannot write /project/out: the disk quota is used up'],
    ['EACCES', 'permission-denied', 'cannot write /project/out: permission denied'],
    ['EPERM', 'permission-denied', 'cannot write /project/out: operation not permitted'],
    ['EROFS', 'read-only', 'cannot write /project/out: the file system is read-only'],
    ['ENOENT', 'not-found', 'cannot write /project/out: no such file or directory'],
    ['EISDIR', 'not-a-file', 'cannot write /project/out: it is a directory'],
    ['ENXIO', 'not-a-file', 'cannot write /project/out: it is a pipe, a socket or a device'],
    ['ENOTDIR', 'not-a-directory', 'cannot write /project/out: a part of the path is not a directory'],
    ['ELOOP', 'symlink-refused', 'cannot write /project/out: a symbolic link stands in the way'],
    ['EMFILE', 'too-many-open-files', 'cannot write /project/out: too many open files'],
    ['ENAMETOOLONG', 'name-too-long', 'cannot write /project/out: the name is too long'],
  ])('%s is %s', (system, code, message) => {
    const error = describeSystemError(Object.assign(new Error('raw'), { code: system }), at);
    expect(error).toMatchObject({ code, message, exit: 1 });
    expect(error.remedy).not.toBe('');
  });

  test.each([
    ['UNKNOWN', -122, 'disk-full'],
    ['Unknown system error -122', -122, 'disk-full'],
    ['Unknown system error -69', -69, 'disk-full'],
    ['UNKNOWN', -123, 'system-error'],
    ['EIO', -122, 'system-error'],
  ])('%s with the number %d is %s: a quota has no name', (system, errno, code) => {
    expect(describeSystemError(Object.assign(new Error('raw'), { code: system, errno }), at).code).toBe(code);
  });

  test('names an unknown code, or else the text, and keeps the cause', () => {
    const raw = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    expect(describeSystemError(raw, at)).toMatchObject({ code: 'system-error', message: 'cannot write /project/out: EIO', cause: raw });
    expect(describeSystemError(new Error('odd'), at).message).toBe('cannot write /project/out: odd');
    expect(describeSystemError('odd', at).message).toBe('cannot write /project/out: odd');
  });

  test.each([null, undefined, 7, { code: 12 }, { code: 'toString' }])('takes anything that was thrown: %s', (thrown) => {
    expect(describeSystemError(thrown, at).code).toBe('system-error');
  });

  test('passes an error of ours unchanged', () => {
    const ours = defineError<Record<string, never>>({ code: 'x', message: () => 'x', remedy: 'y' })({});
    expect(describeSystemError(ours, at)).toBe(ours);
  });

  test('knows what the system really throws', () => {
    const folder = mkdtempSync(join(tmpdir(), 'drover-'));
    const thrownBy = (work: () => unknown): string => {
      try {
        work();
        return 'nothing';
      } catch (error) {
        return describeSystemError(error, { path: folder, action: 'read' }).code;
      }
    };
    try {
      expect(thrownBy(() => readFileSync(join(folder, 'none')))).toBe('not-found');
      expect(thrownBy(() => readFileSync(folder))).toBe('not-a-file');
      expect(thrownBy(() => openSync(join(folder, 'x'.repeat(300)), 'w'))).toBe('name-too-long');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
