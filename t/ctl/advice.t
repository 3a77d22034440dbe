#!/bin/sh
# What pods of public reports are told: see t/data/ctl/advice.  By policies and by a
# configuration alike.
. "$SRCDIR/t/ctl/ctl.sh"

for file in "$data"/advice/*.yaml; do
	name=$(basename "$file" .yaml)
	want=$(sed -n '1s/^# //p' "$file")
	for rules in "--kubernetes-version 1.27" \
	    "--config $examples/kubescheduler-v1.yaml --kubernetes-version 1.36"; do
		# shellcheck disable=SC2086
		ctl explain --cluster "$file" --pod d/p $rules
		is "$name ($rules)" "$(printf '%s\n' "$out" | head -n 1)" \
		    "$want"
	done
done
ctl explain --cluster "$data/advice/volume-that-is-awaited.yaml" --all-pending \
    --kubernetes-version 1.27
has "what one that fits waits for" "$out" \
    "it fits on n1 once kubernetes.io/aws-ebs has provided the volume of claim d/c"
finish
