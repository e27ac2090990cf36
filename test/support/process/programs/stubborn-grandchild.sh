#!/bin/sh
# The leader ends by TERM, its grandchild ignores it.
( trap '' TERM; sleep 300 & echo "grandchild $!" )
exec sleep 300
