#!/bin/sh
# Says goodbye when asked to end, and takes its time.
trap 'sleep 0.2; echo cleaned; exit 7' TERM
sleep 300 &
echo ready
wait
