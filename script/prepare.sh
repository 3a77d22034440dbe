# Sourced by the scripts that build: finds or installs the packages, configures.
# One line for each step; the output of tools goes to a log, which is shown when
# they fail.  Asks for nothing.

# The Debian packages that a build and its tests need.
packages=$(cat "$top/script/packages")

say() {
	printf '==> %s\n' "$*"
}

# quietly LOG COMMAND…: appends the output to the log, and shows the end of it on
# failure.
quietly() {
	log=$1
	shift
	"$@" >>"$log" 2>&1 || {
		tail -n 40 "$log" >&2
		echo "failed: $*; all output: $log" >&2
		return 1
	}
}

missing_packages() {
	for package in $packages; do
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null |
		    grep -q 'ok installed' || printf '%s ' "$package"
	done
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		echo "not root and no sudo: cannot run: $*" >&2
		exit 1
	fi
}

install_packages() {
	if ! command -v dpkg-query >/dev/null; then
		# shellcheck disable=SC2086 # on one line
		say "no dpkg here: install the equivalents of:" $packages
		return
	fi
	wanted=$(missing_packages)
	if [ -z "$wanted" ]; then
		return
	fi
	say "installing Debian packages: $wanted"
	apt_log=$(mktemp)
	say "apt-get update: reading what the mirrors have"
	quietly "$apt_log" as_root apt-get update -q || exit 1
	# shellcheck disable=SC2086 # the list is to be split
	set -- -q --no-install-recommends $wanted
	# With all that they need.
	size=$(apt-get install --assume-no "$@" 2>/dev/null |
	    sed -n 's/^Need to get \(.*\) of archives\.$/\1/p')
	say "apt-get install: downloading $size"
	quietly "$apt_log" as_root apt-get install -y --download-only "$@" || exit 1
	say "apt-get install: unpacking and setting up, half a minute"
	quietly "$apt_log" as_root env DEBIAN_FRONTEND=noninteractive \
	    apt-get install -y "$@" || exit 1
	rm -f "$apt_log"
}

make_configure() {
	(cd "$top" && autoreconf -i)
}

# ccache_before COMPILER: nothing if there is none of this name.
ccache_before() {
	command -v "$1" >/dev/null || return 0
	! command -v ccache >/dev/null || printf 'ccache '
	echo "$1"
}

# source_for DIRECTORY: prints the folder of the sources for a build there.  A
# tree that is configured in place cannot have other builds, which would take its
# objects for theirs; they get a copy of the sources alone.
source_for() {
	if [ ! -f "$top/config.status" ]; then
		echo "$top"
		return
	fi
	copy=$1/source
	rm -rf "$copy"
	mkdir -p "$copy"
	tar -C "$top" --exclude=./build --exclude=./.git \
	    --exclude='*.[ao]' -cf - . |
	    tar -C "$copy" -xf -
	make -s -C "$copy" distclean >/dev/null
	echo "$copy"
}

# configured_for SOURCE [CONFIGURE ARGUMENTS]: whether the current folder is a build of
# these sources, by these arguments if there are any.  A build of others, which are a
# copy or no longer one, is removed.
configured_for() {
	[ -f Makefile ] || return
	used=$(sed -n 's/^abs_top_srcdir = //p' Makefile)
	if [ "$(cd "$used" 2>/dev/null && pwd -P)" = "$(cd "$1" && pwd -P)" ]
	then
		shift
		[ $# -eq 0 ] || [ "$*" = "$(cat configured-with 2>/dev/null)" ]
		return
	fi
	if grep -qx 'PACKAGE = predicated' Makefile; then
		rm -rf Makefile config.status config.h stamp-h1 \
		    libpredicated.a src t etc
	fi
	return 1
}

# configure_in DIRECTORY [CONFIGURE ARGUMENTS]: leaves us in the directory.  The compiler
# is $compiler or gcc, through ccache where there is one, unless CC names another.
configure_in() {
	directory=$1
	shift
	mkdir -p "$directory"
	cd "$directory" || exit
	if [ ! -x "$top/configure" ] ||
	    [ -n "$(find "$top/configure.ac" "$top/Makefile.am" "$top/m4" \
		-newer "$top/configure")" ]; then
		say "making configure"
		quietly "$PWD/build.log" make_configure || exit
	fi
	# Not as a part of the make that may run us.
	source=$(unset MAKEFLAGS MAKELEVEL MFLAGS; source_for "$PWD")
	if ! configured_for "$source" "$@"; then
		say "configuring $PWD"
		quietly "$PWD/build.log" env \
		    CC="${CC-$(ccache_before "${compiler-gcc}")}" \
		    "$source/configure" -q "$@" || exit
		echo "$*" >configured-with
	fi
}

# build THING [MAKE ARGUMENTS]: in the current folder.
build() {
	say "building $1 in $PWD"
	shift
	quietly "$PWD/build.log" make -s -j"$(jobs)" "$@" || exit
}

jobs() {
	nproc 2>/dev/null || echo 1
}

# tools_for KIND: the Debian packages with the tools for one kind of package.
tools_for() {
	sed -n "s/^$1: //p" "$top/script/package-tools"
}

# version_of FOLDER: of the sources there.
version_of() {
	sed -n 's/^AC_INIT(\[predicated\], \[\(.*\)\])$/\1/p' "$1/configure.ac"
}

# output_and_tarball [--output FOLDER] [TARBALL]: sets $output, an existing folder, and
# $tarball, which is made from this checkout if there is none.
output_and_tarball() {
	output=packages
	if [ "${1-}" = --output ] && [ $# -ge 2 ]; then
		output=$2
		shift 2
	fi
	case $#,${1-} in
	0, | 1,[!-]*) ;;
	*)
		echo "usage: $0 [--output FOLDER] [TARBALL]" >&2
		exit 2
		;;
	esac
	mkdir -p "$output"
	output=$(cd "$output" && pwd)
	if [ $# -eq 0 ]; then
		install_packages
		(
			unset MAKEFLAGS MAKELEVEL MFLAGS
			configure_in "$top/build"
			build "the tarball" dist
		)
		set -- "$top/build/predicated-$(version_of "$top").tar.xz"
	fi
	tarball=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
}

# unpack_tarball FOLDER: as FOLDER/source
unpack_tarball() {
	mkdir "$1/source"
	tar -C "$1/source" --strip-components=1 -xf "$tarball"
}
