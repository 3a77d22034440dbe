# Sourced by script/demo and script/test: finds or installs what a build needs.
# Says what it does; asks for nothing.

packages='gcc libc6-dev make autoconf automake pkg-config gzip curl openssl
libjson-c-dev libyaml-dev libcurl4-openssl-dev libssl-dev libevent-dev
libconfig-dev libcunit1-dev zlib1g-dev libzstd-dev systemd procps'

say() {
	printf '==> %s\n' "$*"
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
		say "no dpkg here: install the equivalents of: $packages"
		return
	fi
	wanted=$(missing_packages)
	if [ -z "$wanted" ]; then
		return
	fi
	say "installing Debian packages: $wanted"
	log=$(mktemp)
	# shellcheck disable=SC2086 # the list is to be split
	if ! { as_root apt-get update -q &&
	    as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -q --no-install-recommends $wanted; } \
	    >"$log" 2>&1; then
		cat "$log" >&2
		exit 1
	fi
	rm -f "$log"
}

# configure_in DIRECTORY [CONFIGURE ARGUMENTS]: leaves us in the directory.
configure_in() {
	directory=$1
	shift
	if [ ! -x "$top/configure" ] ||
	    [ -n "$(find "$top/configure.ac" "$top/Makefile.am" "$top/m4" \
		-newer "$top/configure")" ]; then
		say "making configure"
		(cd "$top" && autoreconf -i) >"$top/autoreconf.log" 2>&1 || {
			cat "$top/autoreconf.log" >&2
			exit 1
		}
		rm -f "$top/autoreconf.log"
	fi
	mkdir -p "$directory"
	cd "$directory" || exit
	if [ ! -f Makefile ]; then
		say "configuring $directory"
		"$top/configure" -q "$@"
	fi
}

jobs() {
	nproc 2>/dev/null || echo 1
}
