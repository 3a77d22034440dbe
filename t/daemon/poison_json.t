#!/bin/sh
# poison.t in JSON.
content_type=application/json
. "$SRCDIR/t/daemon/poison.t"
