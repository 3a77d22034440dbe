#!/bin/sh
# live.t with a client that speaks no protobuf.
export LIVE_JSON=1
. "$SRCDIR/t/api/live.t"
