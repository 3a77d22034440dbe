#!/bin/sh
# watch_cuts.t in JSON.
content_type=application/json
. "$SRCDIR/t/daemon/watch_cuts.t"
