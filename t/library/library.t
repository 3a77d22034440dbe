#!/bin/sh
# The installed library, header and example: a program outside of the tree.
. "$SRCDIR/t/lib/tap.sh"

if sanitized; then
	skip_all "the library is for programs without sanitizers"
fi
unset MAKEFLAGS MAKELEVEL MFLAGS
root=$tmp/root
make -s -C "$BUILDDIR" install-includeHEADERS install-nodist_pkgconfigDATA \
    install-nodist_libraryDATA DESTDIR="$root" >"$tmp/make.log" 2>&1 ||
    fail "make install" "$(tail "$tmp/make.log")"
prefix=$(sed -n 's/^prefix=//p' "$BUILDDIR/src/library/predicated.pc")
mkdir "$tmp/pc"
sed "s|^prefix=.*|prefix=$root$prefix|" "$root$prefix"/lib*/pkgconfig/predicated.pc \
    >"$tmp/pc/predicated.pc"
cp "$SRCDIR/etc/examples/decide.c" "$tmp"
# shellcheck disable=SC2046 # options
(cd "$tmp" && ${CC:-cc} -Wall -Wextra -Werror decide.c \
    $(PKG_CONFIG_PATH=pc pkg-config --cflags --libs predicated) -o decide) \
    >"$tmp/cc.log" 2>&1 || fail "the example is built" "$(cat "$tmp/cc.log")"
is "it has no other names" "$(nm -g --defined-only "$root$prefix"/lib*/libpredicated.a |
	sed -n 's/.* [A-Z] //p' | grep -v '^predicated_')" ""
examples=$SRCDIR/etc/examples
cluster=$examples/cluster.yaml
# compare OPTION RULES: both pods, by these rules.
compare() {
	for pod in forecast cart-7d9b4-5; do
		"$tmp/decide" "$cluster" shop $pod "$2" 2>"$tmp/said" | jq . >"$tmp/json"
		"$BUILDDIR/predicatectl" explain "shop/$pod" --cluster "$cluster" "$1" "$2" \
		    --kubernetes-version 1.29 -o json 2>/dev/null |
		    jq 'del(.queue)' >"$tmp/ours"
		is "$pod by $1: as predicatectl" "$(diff "$tmp/ours" "$tmp/json")" ""
		is "$pod by $1: in a line" "$(cut -d ' ' -f 2- "$tmp/said")" \
		    "$(jq -r '.best[0] // .message' "$tmp/ours")"
	done
}
compare --policy "$examples/policy.cfg"
compare --config "$examples/kubescheduler-v1.yaml"
is "an error" "$("$tmp/decide" "$cluster" shop none "$examples/policy.cfg" 2>&1)" \
    "pod shop/none is not in the cluster"
finish
