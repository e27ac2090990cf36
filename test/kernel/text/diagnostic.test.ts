import { expect, test } from 'vitest';
import { formatDiagnostic, type Diagnostic } from '../../../src/kernel/text/index.ts';

test('a diagnostic is written as editors read it, at the start of its range', () => {
  const diagnostic: Diagnostic = {
    severity: 'error',
    code: 'unknown-attribute',
    message: 'unsupported attribute "shel"; did you mean "shell"?',
    file: 'sub/Bachfile',
    range: { start: { line: 3, column: 7, byte: 41 }, end: { line: 4, column: 1, byte: 50 } },
  };
  expect(formatDiagnostic(diagnostic)).toBe('sub/Bachfile:3:7: unsupported attribute "shel"; did you mean "shell"?');
});
