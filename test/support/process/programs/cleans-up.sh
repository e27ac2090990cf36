#!/bin/sh
# Says goodbye when asked to end, and takes its time.
trap 'sleep 0.2; echo cleaned; exit 7' TERM
# Ready once the shell is out of the way: one that was just forked can lose a TERM, and the sleep would last.
sh -c 'echo ready; exec sleep 300' &
wait
