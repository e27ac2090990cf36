import type { AttributeReader } from './attribute-reader.ts';
import type { CommandOperation, ShellOperation } from './project.ts';

/** Reads `command` or `shell`; both together are a fault. */
export function commandOrShell(reader: AttributeReader): CommandOperation | ShellOperation | undefined {
  const shell = reader.given('shell');
  const isBoth = reader.given('command') !== undefined && shell !== undefined;
  if (isBoth) {
    reader.fault(shell.nameSpan, 'must use command or shell, not both');
    return undefined;
  }
  const script = reader.text('shell');
  if (script !== '') return { kind: 'shell', script };
  const argv = reader.argv('command');
  return argv && { kind: 'command', argv };
}
