import { ASKED_KINDS, everyCommand, keyOf, listOf, wordOf, type CommandWords, type WordKind } from './completion-words.ts';

/** For bash 3.2 and later. */
export function bashScript(program: CommandWords): string {
  return `# bash completion of bach; load it with: source <(bach completion bash)
${tablesOf(program)}
${ASK}

# Offers the lines that begin with what was typed. They are quoted: a Bachfile may hold names that a shell would run.
__bach_offer() {
  local line
  while IFS= read -r line; do
    [[ $line == "$cur"* ]] && COMPREPLY+=("$(printf '%q' "$line")")
  done
}

_bach() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before
  before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=()
  # The sign between an option and its value is a word of its own.
  [[ $cur == = ]] && cur=''
${walkOver('"${before[@]}"')}
  case $kind in
    ${ASKED_KINDS.join('|')}) __bach_offer < <(__bach_ask "$1" "$file" "$kind") ;;
    files)
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
      ;;
    flags) __bach_offer < <(__bach_flags "$at") ;;
    words) __bach_offer < <(__bach_words "$at" "$flag") ;;
  esac
  [[ $kind == flags || -n $flag ]] || __bach_offer < <(__bach_commands "$at")
}

complete -F _bach bach`;
}

/** To be sourced, or put as `_bach` into a folder of `fpath`. */
export function zshScript(program: CommandWords): string {
  return `#compdef bach
# zsh completion of bach; load it with: source <(bach completion zsh)
${tablesOf(program)}
${ASK}

_bach() {
  local cur=\${(Q)words[CURRENT]}
  if [[ $cur == --*=* ]]; then
    words[CURRENT]=("\${cur%%=*}" "\${cur#*=}")
    (( CURRENT++ ))
    cur=\${words[CURRENT]}
    compset -P '*='
  fi
${walkOver('"${(@Q)words[2,CURRENT-1]}"')}
  case $kind in
    ${ASKED_KINDS.join('|')}) compadd -- \${(f)"$(__bach_ask "\${words[1]}" "$file" "$kind")"} ;;
    files) _files ;;
    flags) compadd -- \${(f)"$(__bach_flags "$at")"} ;;
    words) compadd -- \${(f)"$(__bach_words "$at" "$flag")"} ;;
  esac
  [[ $kind == flags || -n $flag ]] || compadd -- \${(f)"$(__bach_commands "$at")"}
}

if [[ \${funcstack[1]} == _bach ]]; then _bach "$@"; else compdef _bach bach; fi`;
}

/** What the project knows, a name on each line; nothing where that fails. */
const ASK = `__bach_ask() {
  set -- "$1" "\${2/#\\~\\//$HOME/}" "$3"
  "$1" \${2:+"--file=$2"} complete "$3" 2>/dev/null </dev/null
}`;

/** Finds the command in the words before the cursor (`at`), an option that waits for its value, and what to offer. */
function walkOver(words: string): string {
  return `  local at='' file='' flag='' plain='' kind='' word
  for word in ${words}; do
    if [[ -n $flag ]]; then
      [[ $word == = ]] && continue
      [[ $flag == -f || $flag == --file ]] && file=$word
      flag=''
    elif [[ -n $plain ]]; then
      continue
    elif [[ $word == -- ]]; then
      plain=yes
    elif [[ $word == --file=* ]]; then
      file=\${word#*=}
    elif [[ $word == -f?* ]]; then
      file=\${word#-f}
    elif [[ $word == -* ]]; then
      [[ -n $(__bach_kind "$at" "$word") ]] && flag=$word
    elif __bach_is_command "$at" "$word"; then
      at=\${at:+$at }$word
    fi
  done
  if [[ -z $flag && -z $plain && $cur == -* ]]; then
    kind=flags
  else
    kind=$(__bach_kind "$at" "$flag")
  fi`;
}

/** What the program knows, as functions that look up a command, or an option of it; no option is what stands behind. */
function tablesOf(program: CommandWords): string {
  const commands = everyCommand(program);
  const values = commands.flatMap(valuesOf);
  return [
    lookUp('__bach_commands', commands.map((command) => row([keyOf(command)], command.commands.map(wordOf)))),
    lookUp('__bach_flags', commands.map((command) => row([keyOf(command)], command.flags.flatMap(({ names }) => names)))),
    lookUp('__bach_kind', kindRows(values)),
    lookUp('__bach_words', values.map(({ keys, kind }) => row(keys, listOf(kind) ?? []))),
    isCommand(commands),
  ].join('\n');
}

interface Value {
  readonly keys: readonly string[];
  readonly kind: WordKind;
}

function valuesOf(command: CommandWords): readonly Value[] {
  const key = keyOf(command);
  const flags = command.flags.flatMap(({ names, value }) =>
    value === undefined ? [] : [{ keys: names.map((name) => `${key}:${name}`), kind: value }],
  );
  return command.operand === undefined ? flags : [...flags, { keys: [`${key}:`], kind: command.operand }];
}

function kindRows(values: readonly Value[]): readonly string[] {
  const nameOf = ({ kind }: Value): string => (typeof kind === 'string' && listOf(kind) === undefined ? kind : 'words');
  const kinds = [...new Set(values.map(nameOf))];
  return kinds.map((kind) => row(values.filter((value) => nameOf(value) === kind).flatMap(({ keys }) => keys), [kind]));
}

/** Nothing where there is nothing to print. */
function row(keys: readonly string[], words: readonly string[]): string {
  return words.length === 0 ? '' : `    ${keys.map(quoted).join('|')}) printf '%s\\n' ${words.map(quoted).join(' ')} ;;`;
}

function lookUp(name: string, rows: readonly string[]): string {
  const key = name === '__bach_commands' || name === '__bach_flags' ? '"$1"' : '"$1:$2"';
  return [`${name}() {`, `  case ${key} in`, ...rows.filter((line) => line !== ''), '  esac', '}'].join('\n');
}

function isCommand(commands: readonly CommandWords[]): string {
  const keys = commands.flatMap((above) => above.commands.map((command) => quoted(`${keyOf(above)}:${wordOf(command)}`)));
  return ['__bach_is_command() {', '  case "$1:$2" in', `    ${keys.join('|')}) return 0 ;;`, '  esac', '  return 1', '}'].join('\n');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
