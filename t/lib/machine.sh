# shellcheck shell=sh disable=SC2154
# Sourced by tests that boot a systemd, after tap.sh and apiserver.sh: process 1 of
# its own namespaces, on a copy-on-write view of a root, with the network of this
# machine.
#
#	need_machine
#	trap '…; switch_off; rm -rf "$tmp"' EXIT
#	boot FOLDER [ROOT]
#	in_machine systemctl start predicated
#
# FOLDER is copied over the view of ROOT, which is this machine's root by default.
# Tests of the Debian packages call need_packages in place of need_machine, and boot
# with copies of the packages on the root of a bare Debian:
#
#	copy_packages "$folder/root"
#	boot "$folder" "$root"

machine=$tmp/machine
init=

# Ends the test where no systemd can be booted.
need_machine() {
	for program in unshare nsenter setpriv; do
		command -v "$program" >/dev/null ||
		    bail_out "there is no $program (Debian package util-linux)"
	done
	[ -x /lib/systemd/systemd ] ||
	    skip_all "there is no systemd (Debian package systemd)"
	if ! unshare --mount --pid --fork --cgroup --uts --ipc \
	    mount -t tmpfs tmpfs /mnt 2>"$tmp/why"; then
		sed 's/^/# /' "$tmp/why"
		skip_all "there are no namespaces to boot a machine in"
	fi
}

# Ends the test without the two packages that make deb builds, or where no machine can
# be booted.  Sets their version, and root to the root of a bare Debian 12.
need_packages() {
	version=$(sed -n 's/^AC_INIT(\[predicated\], \[\(.*\)\])$/\1/p' \
	    "$SRCDIR/configure.ac")
	for package in predicated predicatectl libpredicated-dev; do
		[ -f "$(echo "$BUILDDIR/packages/${package}_$version"_*.deb)" ] ||
		    bail_out "$package is not built; run make deb"
	done
	[ "$(id -u)" -eq 0 ] || skip_all "only root can boot a Debian"
	need_machine
	root=$("$SRCDIR/script/debian-root") ||
	    bail_out "there is no Debian 12"
}

# copy_packages FOLDER
copy_packages() {
	mkdir -p "$1"
	for package in predicated predicatectl libpredicated-dev; do
		cp "$BUILDDIR/packages/${package}_$version"_*.deb "$1/"
	done
}

# Process 1 as we see it.
first_process() {
	cut -d ' ' -f 1 "/proc/$init/task/$init/children" 2>/dev/null
}

switch_off() {
	[ -z "$init" ] || kill -KILL "$(first_process)" 2>/dev/null
	stop_process "$init"
}

# Everything that is mounted here goes with the namespace.
write_boot_script() {
	cat >"$tmp/boot" <<-'END_OF_BOOT'
	set -e
	mount --make-rprivate /
	mount -t tmpfs tmpfs "$1"
	mkdir "$1/upper" "$1/work" "$1/root"
	mount -t overlay overlay "$1/root" \
	    -o "lowerdir=$4,upperdir=$1/upper,workdir=$1/work"
	cd "$1/root"
	mount -t proc proc proc
	mount -t tmpfs tmpfs run
	mount -t tmpfs tmpfs tmp
	mount -t sysfs sysfs sys
	if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
		mount -t cgroup2 cgroup2 sys/fs/cgroup
	else
		mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
		mkdir sys/fs/cgroup/systemd sys/fs/cgroup/unified
		mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
		mount -t cgroup2 cgroup2 sys/fs/cgroup/unified
	fi
	mount -t tmpfs -o mode=755 tmpfs dev
	for device in null zero full random urandom tty; do
		touch "dev/$device"
		mount --bind "/dev/$device" "dev/$device"
	done
	mkdir dev/pts dev/shm
	mount -t devpts devpts dev/pts
	ln -s pts/ptmx dev/ptmx
	# Of that root's own services, none.
	rm -rf etc/systemd/system
	tar -C "$2" -cf - . | tar -xf - --keep-directory-symlink
	mkdir -p etc/systemd/system
	cp "$3" etc/systemd/system/machine.target
	# Whose root is not its mount namespace's may make no user namespace.
	pivot_root . mnt
	# Credentials are mounted by a child, from where they come to us.
	exec chroot . sh -c 'umount -l /mnt
	    mount --make-rshared /
	    exec env -i PATH="$PATH" container=none /lib/systemd/systemd \
		--unit=machine.target --log-target=journal' <dev/null
	END_OF_BOOT
	cat >"$tmp/machine.target" <<-'END_OF_TARGET'
	[Unit]
	Description=A machine with a journal
	Requires=systemd-journald.service
	After=systemd-journald.service
	END_OF_TARGET
}

# boot FOLDER [ROOT]
boot() {
	mkdir "$machine"
	write_boot_script
	unshare --mount --pid --fork --kill-child --cgroup --uts --ipc \
	    sh "$tmp/boot" "$machine" "$1" "$tmp/machine.target" "${2:-/}" \
	    >"$tmp/boot.log" 2>&1 &
	init=$!
	wait_until 60 in_machine systemctl is-active --quiet machine.target ||
	    bail_out "systemd does not boot: $(cat "$tmp/boot.log")"
}

in_machine() {
	nsenter --all --target "$(first_process)" --root --wd "$@"
}

# shows PROPERTY: of the service.
shows() {
	in_machine systemctl show predicated --property "$1" --value
}

# shows_that PROPERTY VALUE
shows_that() {
	[ "$(shows "$1")" = "$2" ]
}
