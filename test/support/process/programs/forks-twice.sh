#!/bin/sh
# A grandchild whose parent is gone, in the same group; the leader stays.
( sleep 300 & echo "grandchild $!" )
exec sleep 300
