/**
 * Takes what runs as arguments after the grace, each as `pid start all|group NAME=value`, then reads such lines after
 * `+`, and `- pid start`, until the pipe ends, then ends what is still listed: TERM, the
 * grace (`$1` tenths of a second), KILL. A group is signalled while its leader is the process that was named, by its
 * start time (the 20th field after the name). When the leader is gone, only members that bear the mark are.
 */
export const REAPER_SCRIPT = `
trap '' TERM HUP INT QUIT
set -f
IFS=' '
nl='
'
grace=$1
shift
list=
for entry in "$@"; do list="$list$entry$nl"; done
while read -r op pid start kind mark; do
  case $op in
    +) list="$list$pid $start $kind $mark$nl" ;;
    -)
      kept=
      IFS=$nl
      for entry in $list; do
        case $entry in "$pid $start "*) ;; *) kept="$kept$entry$nl" ;; esac
      done
      IFS=' '
      list=$kept ;;
  esac
done
[ -z "$list" ] && exit 0

stat_of() {
  text=
  [ -r "/proc/$1/stat" ] || return 1
  while IFS= read -r part || [ -n "$part" ]; do text="$text$part"; done <"/proc/$1/stat"
  [ -n "$text" ] || return 1
  set -- \${text##*) }
  group=$3
  shift 19
  started=$1
}

bears() { grep -qzxF -e "$2" "/proc/$1/environ" 2>/dev/null; }

orphans() {
  set +f
  set -- "$1" "$2" "$3" /proc/[0-9]*
  set -f
  signal=$1 wanted=$2 sign=$3
  shift 3
  for folder in "$@"; do
    number=\${folder#/proc/}
    stat_of "$number" && [ "$group" = "$wanted" ] && bears "$number" "$sign" && kill -"$signal" "$number" && seen=1
  done
}

marked() {
  set +f
  set -- "$1" $(grep -lzxF -e "$2" /proc/[0-9]*/environ 2>/dev/null | tr '\\n' ' ')
  set -f
  signal=$1
  shift
  for file in "$@"; do
    number=\${file#/proc/}
    number=\${number%/environ}
    [ "$number" -gt 1 ] && kill -"$signal" "$number" && seen=1
  done
}

strike() {
  seen=
  IFS=$nl
  for entry in $list; do
    IFS=' '
    set -- "$1" $entry
    shout=$1 leader=$2 since=$3 reach=$4
    sign=\${entry#* * * }
    if stat_of "$leader"; then
      [ "$started" = "$since" ] && kill -"$shout" "-$leader" && seen=1
    elif kill -0 "-$leader"; then
      orphans "$shout" "$leader" "$sign"
    fi
    [ "$reach" = all ] && marked "$shout" "$sign"
    set -- "$shout"
  done
  IFS=' '
}

strike TERM
while [ -n "$seen" ] && [ "$grace" -gt 0 ]; do
  sleep 0.1 || { sleep 1; grace=$((grace - 9)); }
  grace=$((grace - 1))
  strike 0
done
for round in 1 2 3 4 5; do
  [ -n "$seen" ] || exit 0
  strike KILL
  sleep 0.1 || sleep 1
done
`;
