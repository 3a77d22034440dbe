#!/bin/sh
# What the recipes of packages say agrees with the sources: version, libraries, and
# that each file which is installed belongs to one package.
. "$SRCDIR/t/lib/tap.sh"
cd "$SRCDIR" || exit 99

spec=rpm/predicated.spec
version=$(sed -n 's/^AC_INIT(\[predicated\], \[\(.*\)\])$/\1/p' configure.ac)
is "debian/changelog has configure.ac's version" \
    "$(sed -n '1s/^predicated (\(.*\)) .*/\1/p' debian/changelog)" "$version"
is "so has the spec" "$(sed -n 's/^Version: *//p' $spec)" "$version"
is "and its list of changes" \
    "$(sed -n '/^%changelog/,$s/^\* .* - \(.*\)-1$/\1/p' $spec | head -n 1)" \
    "$version"

# ---- who the project is ----

is "packages have configure.ac's homepage, maintainer and contact" \
    "$(script/identity check)" ""
is "no address is of the kind that packages refuse" \
    "$(grep -l '\.invalid' configure.ac SECURITY.md debian/* rpm/* doc/packages.md 2>&1 |
	grep -v 'Is a directory')" ""
mkdir "$tmp/other"
tar cf - configure.ac script/identity SECURITY.md MAINTAINERS debian rpm etc/kubernetes/Containerfile |
    tar xf - -C "$tmp/other"
sed -i "s|^\(PROJECT_HOMEPAGE=\).*|\1'https://scheduler.test/a\&b'|
    s|^\(PROJECT_MAINTAINER=\).*|\1'Jo Doe <jo@scheduler.test>'|
    s|^\(PROJECT_SECURITY=\).*|\1'sec@scheduler.test'|" "$tmp/other/configure.ac"
is "others are missed everywhere" "$("$tmp/other/script/identity" check | tr '\n' ' ')" \
    "debian/control debian/changelog rpm/predicated.spec etc/kubernetes/Containerfile SECURITY.md MAINTAINERS "
"$tmp/other/script/identity"
is "and written everywhere" "$("$tmp/other/script/identity" check)" ""
is "one homepage in each" "$(cd "$tmp/other" && grep -c 'https://scheduler.test/a&b' \
    debian/control rpm/predicated.spec etc/kubernetes/Containerfile | tr '\n' ' ')" \
    "debian/control:1 rpm/predicated.spec:1 etc/kubernetes/Containerfile:1 "
is "one maintainer" "$(cd "$tmp/other" && grep -c 'Jo Doe <jo@scheduler.test>' \
    debian/control debian/changelog rpm/predicated.spec MAINTAINERS | tr '\n' ' ')" \
    "debian/control:1 debian/changelog:1 rpm/predicated.spec:1 MAINTAINERS:1 "
is "one contact" "$(grep -c '^    sec@scheduler.test$' "$tmp/other/SECURITY.md")" 1
rm -r "$tmp/other"

# ---- libraries ----

missing=
for package in $(tr ' ' '\n' <script/packages | grep -- '-dev$'); do
	[ "$package" = libc6-dev ] ||
	    grep -q "^ $package\\( (.*)\\)\\{0,1\\},$" debian/control ||
	    missing="$missing $package"
done
is "debian/control has the libraries of script/packages" "$missing" ""
wanted=$(sed -n 's/^PREDICATED_\(NEED\|WANT\)(\[[A-Z]*\], \[\([^] ]*\).*/\2/p' \
    configure.ac | sort)
is "the spec has those that configure asks for" \
    "$(sed -n 's/^BuildRequires: *pkgconfig(\(.*\)).*/\1/p' $spec | sort)" \
    "$wanted"
missing=
for module in $(sed -n 's/^Requires: //p' src/library/predicated.pc.in); do
	grep -q "^Requires: *pkgconfig($module)$" $spec || missing="$missing RPM:$module"
	[ "$module" != libcrypto ] || module=openssl # of the same package
	package=$(sed -n "s/^PREDICATED_NEED(.*\[${module}[] ].*\[\(.*\)\])$/\1/p" configure.ac)
	sed -n '/^Package: libpredicated-dev/,/^Description/s/^Depends: //p' debian/control |
	    grep -q "\(^\| \)${package:-none}," || missing="$missing Debian:$module"
done
is "the library's packages bring what pkg-config asks for" "$missing" ""

# ---- files ----

env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$BUILDDIR" install \
    prefix=/usr libdir=/usr/lib/any sysconfdir=/etc systemdsystemunitdir=/lib/systemd/system \
    zshcompletiondir=/usr/share/zsh/vendor-completions \
    DESTDIR="$tmp/root" >"$tmp/log" 2>&1 ||
    fail "make install" "$(tail "$tmp/log")"
# Both recipes add it.
mkdir -p "$tmp/root/usr/lib/sysusers.d"
touch "$tmp/root/usr/lib/sysusers.d/predicated.conf"
(cd "$tmp/root" && find . ! -type d | sed 's/^..//' | sort) >"$tmp/installed"

# owners FILE: for each installed file the number of patterns, one a line after
# their package, that it matches, unless that is one package's.
owners() {
	while IFS= read -r file; do
		count=$(while read -r package pattern; do
			# shellcheck disable=SC2254 # a pattern
			case $file in
			$pattern | $pattern/*) echo "$package" ;;
			esac
		done <"$1" | sort -u | wc -l)
		[ "$count" -eq 1 ] || echo "$file: $count packages"
	done <"$tmp/installed"
}

# unused FILE: patterns that no file matches.
unused() {
	while read -r package pattern; do
		found=
		while IFS= read -r file; do
			# shellcheck disable=SC2254 # a pattern
			case $file in
			$pattern | $pattern/*) found=yes ;;
			esac
		done <"$tmp/installed"
		[ -n "$found" ] || echo "$package: $pattern"
	done <"$1"
}

for package in predicated predicatectl libpredicated-dev; do
	sed "s/^/$package /" "debian/$package.install"
done >"$tmp/debian"
# That file is in a folder of which the rest is installed.
is "what Debian does not install is left out by name" \
    "$(cat debian/not-installed)" \
    "usr/share/doc/predicated/$(sed -n \
	's/.*dh_install --exclude=//p' debian/rules)"
is "Debian: each file belongs to one package" "$(owners "$tmp/debian")" ""
is "Debian: each line of debian/*.install is a file" \
    "$(unused "$tmp/debian")" ""

awk '
/^%files/ { package = $2 == "-n" ? $3 : "predicated"; files = 1; next }
/^%/ && !/^%(dir|doc|config|license|\{)/ { files = 0 }
!files || /^#/ || /^%dir/ || /^%license/ || NF == 0 { next }
{
	path = $NF
	sub(/-devel$/, "-dev", package)
	gsub(/%\{_includedir\}/, "usr/include", path)
	gsub(/%\{_libdir\}/, "usr/lib/*", path)
	gsub(/%\{_bindir\}/, "usr/bin", path)
	gsub(/%\{_mandir\}/, "usr/share/man", path)
	gsub(/%\{_docdir\}/, "usr/share/doc", path)
	gsub(/%\{_datadir\}/, "usr/share", path)
	gsub(/%\{_sysconfdir\}/, "etc", path)
	gsub(/%\{_unitdir\}/, "lib/systemd/system", path)
	gsub(/%\{_sysusersdir\}/, "usr/lib/sysusers.d", path)
	# Debian has another folder for it.
	sub("zsh/site-functions", "zsh/vendor-completions", path)
	print package, path
}' $spec >"$tmp/rpm"
is "RPM: each file belongs to one package" "$(owners "$tmp/rpm")" ""
is "RPM: each line of %files is a file" "$(unused "$tmp/rpm")" ""
is "both divide them alike" "$(sed 's/\*$//' "$tmp/rpm" | sort)" \
    "$(sed 's,etc/predicated$,etc/predicated/predicated.conf,' \
	"$tmp/debian" | sort)"
# Debian's are all files in /etc.
is "RPM: an edited configuration is kept" "$(grep '^etc/' "$tmp/installed")" \
    "$(sed -n 's,^%config(noreplace) %{_sysconfdir},etc,p' $spec)"

missing=
for test in $(sed -n 's/^Tests: //p' debian/tests/control); do
	[ -x "debian/tests/$test" ] || missing="$missing $test"
done
is "each test of debian/tests/control is there" "$missing" ""
finish
