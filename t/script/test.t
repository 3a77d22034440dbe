#!/bin/sh
# script/test, script/demo and script/prepare.sh in a small tree that stands for
# ours: what reaches the screen, the counts, and sources that are configured in
# place.
. "$SRCDIR/t/lib/tap.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS PREDICATED_TESTS

tree=$tmp/tree
mkdir -p "$tree/m4" "$tree/script"
cp "$SRCDIR/script/test" "$SRCDIR/script/prepare.sh" "$tree/script/"
: >"$tree/script/packages" # installs nothing
: >"$tree/configure.ac"
: >"$tree/Makefile.am"

# A configure whose Makefile has two tests: one has a failure and a skip.  It sleeps
# as script/test counts the results that are newer than its start, to a clock tick.
cat >"$tree/configure" <<'END'
#!/bin/sh
echo "checking for nothing"
source=$(cd "$(dirname "$0")" && pwd)
[ "$source" = "$PWD" ] || [ ! -f "$source/config.status" ] || {
	echo "source directory already configured" >&2
	exit 1
}
touch config.status
echo "$*" >with
cat >Makefile <<END_OF_MAKE
PACKAGE = predicated
abs_top_srcdir = $source
all:
	@echo '  CC       noise.o'; touch built
check-TESTS:
	mkdir -p t; sleep 0.05; for test in \$(TESTS); do \
	    echo ':test-result: PASS' >\$\$test.trs; : >\$\$test.log; done
t/a.t t/b.t:
	@touch built-\$(notdir \$@)
check:
	\$(if \$(filter command,\$(origin TESTS)),,sleep 0.05; sh $source/checks)
distclean:
	rm -f Makefile config.status built
END_OF_MAKE
END
cat >"$tree/checks" <<'END'
mkdir -p t
cat >t/good.log <<'LOG'
ok 1 - a
ok 2 - b # SKIP no namespaces
LOG
printf ':test-result: PASS\n:test-result: SKIP\n' >t/good.trs
printf ':test-result: PASS\n' >t/other.trs
echo 'ok 1 - c' >t/other.log
printf '1..0 # SKIP no systemd\n' >t/none.log
printf ':test-result: SKIP\n' >t/none.trs
[ ! -f fails ] || {
	printf 'ok 1 - x\nnot ok 2 - y\n# got: 1\n# want: 2\n# t/bad.t: got: 1\n' >t/bad.log
	printf ':test-result: %s\n' PASS FAIL ERROR >t/bad.trs
	exit 1
}
END
chmod +x "$tree/configure"

run() {
	out=$("$tree/script/test" "$@" --offline 2>&1)
	code=$?
}

run
is "tests that pass: success" "$code" 0
is "the last line counts" "$(printf '%s\n' "$out" | tail -n 1)" \
    "2 passed, 0 failed, 2 skipped"
lacks "no output of compilers" "$out" "CC  "
lacks "nor of configure" "$out" "checking"
has "a skipped result is named" "$out" "SKIP: t/good.t: b # SKIP no namespaces"
has "a skipped test, too" "$out" "SKIP: t/none.t: 1..0 # SKIP no systemd"

# ---- arguments of configure ----

run --werror
is "every warning an error: configured so" "$code:$(cat "$tree/build/with")" \
    "0:-q --enable-werror"
rm "$tree/build/with"
run --werror
run
is "a build that has been so is used again" "$code:$(cat "$tree/build/with" 2>&1)" \
    "0:cat: $tree/build/with: No such file or directory"

# ---- some of the tests ----

PREDICATED_TESTS='t/a.t t/b.t'
export PREDICATED_TESTS
run
unset PREDICATED_TESTS
is "PREDICATED_TESTS are built and run alone" \
    "$(cd "$tree/build" && ls -d built-*):$(printf '%s\n' "$out" | tail -n 1)" \
    "built-a.t
built-b.t:2 passed, 0 failed, 0 skipped"
rm "$tree/build/t"/*.t.*

: >"$tree/build/fails"
run
is "a test that fails: no success" "$code" 1
is "it is counted" "$(printf '%s\n' "$out" | tail -n 1)" \
    "3 passed, 1 failed, 2 skipped"
has "its result is on the screen" "$out" "FAIL: t/bad.t: not ok 2 - y"
is "and what it says, once" "$(printf '%s\n' "$out" | grep -c 'got: 1')" 1
rm "$tree/build/fails" "$tree/build/t"/bad.*

echo 'echo "x.c:1: error"; exit 2' >"$tree/checks"
run
is "make that fails: no success" "$code" 1
has "its output is on the screen" "$out" "x.c:1: error"
lacks "nothing was counted" "$out" "passed"

# ---- sources that are configured in place ----

echo 'mkdir -p t; echo ":test-result: PASS" >t/a.trs; : >t/a.log' \
    >"$tree/checks"
(cd "$tree" && ./configure && make -s) >/dev/null 2>&1
touch "$tree/noise.o"
run
is "sources configured in place" "$code:$(printf '%s\n' "$out" | tail -n 1)" \
    "0:1 passed, 0 failed, 0 skipped"
is "are left as they are" "$([ -f "$tree/config.status" ] &&
    [ -f "$tree/built" ] && echo yes)" yes
is "and are no part of the build" \
    "$([ -e "$tree/build/source/built" ] || echo clean)" clean
echo 'mkdir -p t; yes ":test-result: PASS" | head -n 2 >t/a.trs; : >t/a.log' \
    >"$tree/checks"
run
has "a change of them is seen" "$out" "2 passed"
(cd "$tree" && make -s distclean)
run
is "sources that are so no longer" "$code" 0
is "are built from again" "$(sed -n 's/^abs_top_srcdir = //p' \
    "$tree/build/Makefile")" "$(cd "$tree" && pwd)"
finish
