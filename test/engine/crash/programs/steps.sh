# A program with crash points of its own, for tests of the crash test: `steps.sh <how> <mode> ...`.
how=$1 mode=$2
shift 2

fail() {
  echo "$1" >&2
  exit 1
}

list() {
  [ "$how" = no-list ] && fail 'nothing to list'
  echo '[{"name":"first","prepared":"once"},{"name":"second","prepared":"each"}]' > "$1"
}

prepare() {
  [ "$how" = unprepared ] && fail 'cannot prepare'
  printf %s "$1" > "$2/ready"
  [ "$1" != second ] || kill -9 $$
}

# Writes a word for each point that it passes; words of a run before are kept.
run() {
  work=$2 marker=$3 end=$4 passed=0
  [ "$how" = broken ] && fail 'cannot run'
  [ "$how" = forever ] && [ -e "$work/words" ] && exec sleep 600
  [ "$how" = fails-resumed ] && [ -e "$work/words" ] && fail 'cannot resume'
  [ "$how" = leaves ] && DROVER_RUN=$marker setsid sleep 600 &
  touch "$work/words"
  for word in one two three four; do
    if [ "$how" = repeats ] || ! grep -q "$word" "$work/words"; then echo "$word" >> "$work/words"; fi
    passed=$((passed + 1))
    [ -z "$DROVER_CRASH_TRACE" ] || echo "$word" >> "$DROVER_CRASH_TRACE"
    [ "$how" = immortal ] || [ "$passed" != "$DROVER_CRASH_AT" ] || kill -9 $$
  done
  if [ "$how" != silent ] || [ -n "$DROVER_CRASH_TRACE" ]; then
    echo "{\"ready\":\"$(cat "$work/ready")\",\"words\":\"$(tr '\n' ' ' < "$work/words")\"}" > "$end"
  fi
  [ "$how" != interrupted ] || kill -15 $$
}

$mode "$@"
