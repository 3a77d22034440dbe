#!/bin/sh
# smoke.t in JSON.
content_type=application/json
. "$SRCDIR/t/daemon/smoke.t"
