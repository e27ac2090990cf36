#!/bin/sh
# Leaves a member of its group that ignores TERM.
trap '' TERM
sleep 300 &
echo "left $!"
