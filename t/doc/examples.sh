# shellcheck shell=sh disable=SC2034
# Sourced after tap.sh: runs the examples of pages, in a folder with the files that
# they name.  kubectl is one that dumps the example cluster.

examples=$tmp/examples
mkdir "$examples" "$tmp/bin"
cp "$SRCDIR"/etc/examples/* "$examples/"
cp "$examples/cluster.yaml" "$examples/cluster.json"
cp "$examples/cluster.yaml" "$examples/dump.json"
cp "$examples/openshift-default.cfg" "$examples/new.cfg"
sample_kubeconfig "$examples/scheduler.conf"
mkdir "$examples/must-gather"
cp "$examples/cluster.yaml" "$examples/must-gather/"
mkdir -m 700 "$examples/records"
tail -c +2 "$SRCDIR/t/fuzz/corpus/record/small" \
    >"$examples/records/decisions-0000000001.jsonl"
ln -s "$BUILDDIR/predicatectl" "$BUILDDIR/predicated" "$tmp/bin/"
ln -s "$BUILDDIR/predicatectl" "$tmp/bin/kubectl-predicate"
cat >"$tmp/bin/kubectl" <<END
#!/bin/sh
cat "$examples/cluster.yaml"
END
chmod +x "$tmp/bin/kubectl"
PATH=$tmp/bin:$PATH
COLUMNS=80
export COLUMNS

# run_example COMMAND: into $out, $code and $tmp/err.  /etc/kubernetes and /tmp are
# that folder, /var/lib/predicated has a record; the daemon only checks its options.
run_example() {
	command=$(printf '%s\n' "$1" |
	    sed 's,/etc/kubernetes/,,g; s,/tmp/,,g; s,/var/lib/predicated,records,g; s,^predicated ,predicated --check ,')
	out=$(cd "$examples" && eval "$command" 2>"$tmp/err")
	code=$?
}

# example PAGE COMMAND: it must give an answer; no is one.
example() {
	case $2 in
	*--kubeconfig*predicatectl* | predicatectl*--kubeconfig* | \
	    predicatectl*--context*)
		skip "$1: $2" "it needs a cluster"
		return
		;;
	predicatectl\ replay*)
		skip "$1: $2" "it needs the recording of a daemon"
		return
		;;
	esac
	run_example "$2"
	if [ "$code" -le 1 ]; then
		pass "$1: $2"
	else
		fail "$1: $2" "exit status $code: $(cat "$tmp/err")"
	fi
}
