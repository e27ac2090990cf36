import { everyCommand, keyOf, listOf, wordOf, type CommandWords, type FlagWords, type WordKind } from './completion-words.ts';

/** For fish 3 and later. */
export function fishScript(program: CommandWords): string {
  const commands = everyCommand(program);
  return `# fish completion of bach; load it with: bach completion fish | source
set -g __bach_commands ${commands.flatMap(keysBelow).map(quoted).join(' ')}
set -g __bach_valued ${commands.flatMap(valuedKeys).map(quoted).join(' ')}

# True when the words before the cursor call this command.
function __bach_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l at ''
    set -l flag ''
    for word in $words
        if test -n "$flag"
            set flag ''
        else if contains -- "$at:$word" $__bach_valued
            set flag $word
        else if contains -- "$at:$word" $__bach_commands
            set at (string trim -- "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end

# What the project knows, a name on each line; nothing where that fails.
function __bach_ask
    set -l words (commandline -opc)
    set -l file
    set -l flag ''
    for word in $words
        if contains -- "$flag" -f --file
            set file --file=$word
        else if string match -q -- '--file=*' $word
            set file $word
        end
        set flag $word
    end
    $words[1] $file complete $argv[1] 2>/dev/null </dev/null
end

complete -c bach -f
${commands.flatMap(linesOf).join('\n')}`;
}

function keysBelow(above: CommandWords): readonly string[] {
  return above.commands.map((command) => `${keyOf(above)}:${wordOf(command)}`);
}

function valuedKeys(command: CommandWords): readonly string[] {
  const valued = command.flags.filter(({ value }) => value !== undefined);
  return valued.flatMap(({ names }) => names.map((name) => `${keyOf(command)}:${name}`));
}

function linesOf(command: CommandWords): readonly string[] {
  const start = `complete -c bach -n ${quoted(`__bach_at ${quoted(keyOf(command))}`)}`;
  return [
    ...command.commands.map((below) => `${start} -a ${quoted(wordOf(below))} -d ${quoted(below.purpose)}`),
    ...command.flags.map((flag) => `${start}${namesOf(flag)} -d ${quoted(flag.purpose)}${valueOf(flag.value)}`),
    ...(command.operand === undefined || command.operand === 'other' ? [] : [`${start}${offerOf(command.operand)}`]),
  ];
}

function namesOf({ names }: FlagWords): string {
  return names.map((name) => (name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`)).join('');
}

/** `-x` takes a value and no file, `-r` a value. */
function valueOf(value: WordKind | undefined): string {
  if (value === undefined) return '';
  return value === 'files' ? ' -r -F' : ` -x${offerOf(value)}`;
}

function offerOf(kind: WordKind): string {
  if (kind === 'other') return '';
  if (kind === 'files') return ' -F';
  return ` -a ${quoted(listOf(kind)?.join(' ') ?? `(__bach_ask ${String(kind)})`)}`;
}

/** Inside single quotes fish knows these two escapes and nothing else. */
function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
