#!/bin/sh
# Ends at once and leaves a member of its group running.
sleep 300 &
echo "left $!"
exit 3
