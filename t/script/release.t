#!/bin/sh
# make release: the same bits twice, an SBOM that has all files and libraries, sums
# that hold, signatures if there is a key, and none that is claimed without.
. "$SRCDIR/t/lib/tap.sh"
if sanitized; then # it builds without them
	skip_all "the same without sanitizers"
fi
unset MAKEFLAGS MAKELEVEL MFLAGS RELEASE_KEY SOURCE_DATE_EPOCH
version=$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' "$BUILDDIR/config.h")
name=predicated-$version

is "NEWS.md begins with the version of configure.ac" "$(grep -m 1 '^## ' \
    "$SRCDIR/NEWS.md" | sed 's/,.*//'):$(sed -n \
    's/^AC_INIT(\[predicated\], \[\(.*\)\])/\1/p' "$SRCDIR/configure.ac")" \
    "## $version:$version"
versions=$(sed -n 's/^## \([0-9.]*\).*/\1/p' "$SRCDIR/NEWS.md")
is "its versions are in order" "$versions" "$(echo "$versions" | sort -rV)"

# A build of its own, so that no other test finds it half done; of a copy of the
# sources if they are configured in place.
top=$SRCDIR
. "$SRCDIR/script/prepare.sh"
work=$tmp/work
mkdir "$work" "$tmp/gnupg"
chmod 700 "$tmp/gnupg"
GNUPGHOME=$tmp/gnupg
export GNUPGHOME
cd "$work" || exit 99
source=$(source_for "$work")
"$source/configure" -q >configure.log 2>&1
[ -f Makefile ] || bail_out "configure: $(cat configure.log)"

release() {
	make -s release RELEASE_FLAGS=--rehearse >release.log 2>&1
	is "$1: make release" $? 0
	[ -f "release/$name.tar.xz" ] || bail_out "$(cat release.log)"
}

release "without a key"
has "without a key: says so" "$(cat release.log)" "not signed: "
is "without a key: no signature" "$(find release -name '*.asc')" ""
mv release first

# ---- with a key, another time zone, umask and language, later ----

# It takes an agent, which is a package of its own.
if gpg --batch --passphrase '' --quick-generate-key \
    'Throw Away <release@example.com>' default default 1d 2>/dev/null; then
	sleep 1
	(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 \
	    make -s release RELEASE_FLAGS=--rehearse >release.log 2>&1) ||
	    bail_out "$(cat release.log)"
	for file in "$name.tar.xz" SHA256SUMS; do
		gpg --batch --verify "release/$file.asc" "release/$file" \
		    2>gpg.log
		is "the signature of $file is good" $? 0
	done
	echo x >>release/SHA256SUMS
	gpg --batch --verify release/SHA256SUMS.asc release/SHA256SUMS 2>gpg.log
	is "that of another file is not" $? 1
	sed -i '$d' release/SHA256SUMS
	# Its agent ends with the folder.
	gpgconf --kill all 2>/dev/null
else
	skip "signatures" "there is no gpg with an agent"
	release "once more"
fi
for file in "$name.tar.xz" "$name.spdx.json" "$name.intoto.json" SHA256SUMS; do
	cmp -s "first/$file" "release/$file"
	is "$file: the same bits" $? 0
done
is "the sums hold" "$(cd release && sha256sum -c --quiet SHA256SUMS 2>&1)" ""

# ---- the tarball ----

mkdir unpacked
tar xf "release/$name.tar.xz" -C unpacked
is "it can be configured" "$([ -x "unpacked/$name/configure" ] && echo yes)" yes
is "it has the tests" "$([ -f "unpacked/$name/t/script/release.t" ] && echo yes)" yes

# ---- the SBOM ----

sbom=release/$name.spdx.json
q() {
	jq -r "$1" "$sbom"
}
# SPDX 2.3, 6 to 11: the fields that must be there.
is "the document's fields" "$(q '[.spdxVersion, .dataLicense, .SPDXID,
    (.name | length > 0), (.documentNamespace | test("^https?://[^#]+$")),
    (.creationInfo.created | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$")),
    (.creationInfo.creators | length > 0 and all(test("^(Tool|Person|Organization): ")))
    ] | join(" ")')" \
    "SPDX-2.3 CC0-1.0 SPDXRef-DOCUMENT true true true true"
is "each package has its fields" "$(q '[.packages[] | select(
    (.SPDXID | test("^SPDXRef-[A-Za-z0-9.-]+$") | not) or
    (.name | length) == 0 or .downloadLocation == null or
    .licenseConcluded == null or .licenseDeclared == null or
    .copyrightText == null or .versionInfo == null or
    (.filesAnalyzed and .packageVerificationCode == null))] | length')" 0
is "each file has its fields" "$(q '[.files[] | select(
    (.SPDXID | test("^SPDXRef-[A-Za-z0-9.-]+$") | not) or
    (.fileName | startswith("./") | not) or .licenseConcluded == null or
    .copyrightText == null or
    ([.checksums[].algorithm] | index("SHA1") == null))] | length')" 0
is "no id is there twice" "$(q '[.packages[].SPDXID, .files[].SPDXID] |
    (length - (unique | length))')" 0
is "relationships are about what is there" "$(q '([.packages[].SPDXID,
    .files[].SPDXID, .SPDXID]) as $ids | [.relationships[] |
    .spdxElementId, .relatedSpdxElement] | unique - $ids | length')" 0
is "the document describes the package" "$(q '.relationships[] |
    select(.relationshipType == "DESCRIBES").relatedSpdxElement')" \
    SPDXRef-Package
is "it has every file of the tarball" "$(q '.files[].fileName' | sort)" \
    "$(cd "unpacked/$name" && find . -type f | sort)"
q '.files[] | (.checksums[] | select(.algorithm == "SHA256").checksumValue) +
    "  " + .fileName' >sums
is "with its sum" "$(cd "unpacked/$name" && sha256sum -c --quiet "$work/sums" 2>&1)" ""
is "the verification code is that of the files" \
    "$(q '.packages[0].packageVerificationCode.packageVerificationCodeValue')" \
    "$(cd "unpacked/$name" && find . -type f -exec sha1sum {} + | cut -c 1-40 |
	LC_ALL=C sort | tr -d '\n' | sha1sum | cut -c 1-40)"
is "the tarball's sum is in it" "$(q '.packages[0].checksums[0].checksumValue')" \
    "$(sha256sum <"release/$name.tar.xz" | cut -c 1-64)"
q '.packages[1:][] | .name + " " + .versionInfo' >libraries
while read -r module lib; do
	is "$module is what pkg-config says" "$lib" \
	    "$(pkg-config --modversion "$module")"
done <libraries
missing=$(sed -n 's/^PREDICATED_\(NEED\|WANT\)(\[[A-Z]*\], \[\([^]]*\)\].*/\2/p' \
    "$SRCDIR/configure.ac" | sed 's/ *>= *[0-9.]*//g' | tr ' ' '\n' |
    grep -vx cunit | while read -r module; do
	grep -q "^$module " libraries || echo "$module"
done)
is "every library that configure asks for" "$missing" ""
licences=$(q '[.files[].licenseConcluded, .packages[].licenseDeclared] | unique[]')
is "no licence is unknown" "$(echo "$licences" | grep -c NOASSERTION)" 0

# ---- the provenance ----

statement=release/$name.intoto.json
# in-toto Statement v1 and SLSA provenance v1: the fields that must be there.
is "the statement's fields" "$(jq -r '[._type, .predicateType,
    (.predicate.buildDefinition.buildType | test("^https://")),
    (.predicate.buildDefinition.externalParameters | type),
    (.predicate.runDetails.builder.id | test("^https://")),
    (.subject | length > 0 and all((.name | length > 0) and
	(.digest.sha256 | test("^[0-9a-f]{64}$")))),
    (.predicate.buildDefinition.resolvedDependencies |
	all(.uri != null or .digest != null or .name != null))
    ] | join(" ")' "$statement")" \
    "https://in-toto.io/Statement/v1 https://slsa.dev/provenance/v1 true object true true true"
jq -r '.subject[] | .digest.sha256 + "  " + .name' "$statement" >subjects
is "its subjects are what was released" "$(cut -d ' ' -f 3 subjects | tr '\n' ' ')" \
    "$name.spdx.json $name.tar.xz "
is "with their sums" "$(cd release && sha256sum -c --quiet ../subjects 2>&1)" ""
if git -C "$SRCDIR" rev-parse HEAD >commit 2>/dev/null; then
	is "it names the commit" "$(jq -r '.predicate.buildDefinition |
	    .resolvedDependencies[0].digest.gitCommit' "$statement")" "$(cat commit)"
fi
has "without a build nothing is written for catalogues" "$(cat release.log)" \
    "predicatectl is not built"

# ---- what is refused ----

"$source/script/release" "$work" >release.log 2>&1
code=$?
case $(grep -m 1 '^## ' "$SRCDIR/NEWS.md") in
*[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9])
	pass "NEWS.md has a date"
	;;
*)
	is "a release without a date in NEWS.md is refused" "$code" 1
	has "with the reason" "$(cat release.log)" "release: NEWS.md begins with"
	;;
esac
sed -i 's/PACKAGE_VERSION ".*"/PACKAGE_VERSION "9.9.9"/' config.h
"$source/script/release" --rehearse "$work" >release.log 2>&1
is "a version that NEWS.md does not have is refused" \
    "$?:$(grep -c 'but configure.ac has 9.9.9' release.log)" 1:1
sed -i 's/PACKAGE_VERSION ".*"/PACKAGE_VERSION "1.0"/' config.h
"$source/script/release" --rehearse "$work" >release.log 2>&1
is "no semantic version" "$?:$(cat release.log)" \
    "1:release: 1.0 is no semantic version"
finish
