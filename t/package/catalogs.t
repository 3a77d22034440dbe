#!/bin/sh
# script/catalogs: krew can install the plugin, OLM has what it asks for and the
# permissions of etc/kubernetes, Artifact Hub its fields; the same bits twice.
. "$SRCDIR/t/lib/tap.sh"
cd "$SRCDIR" || exit 99

version=$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' "$BUILDDIR/config.h")
value() {
	sed -n "s/^$1='\(.*\)'\$/\1/p" configure.ac
}
homepage=$(value PROJECT_HOMEPAGE)
catalogs() {
	script/catalogs --image registry.test/predicated:1 --output "$1" "$BUILDDIR" \
	    >"$tmp/log" 2>&1 || bail_out "$(cat "$tmp/log")"
}
catalogs "$tmp/out"
(umask 077 && TZ=Asia/Tokyo catalogs "$tmp/again")
is "the same bits twice" "$(diff -r "$tmp/out" "$tmp/again" 2>&1)" ""
json() {
	"$BUILDDIR/t/package/yaml" "$1" >"$2" || fail "$1 is YAML"
}

# ---- krew ----

json "$tmp/out/predicate.yaml" "$tmp/krew"
of() {
	jq -r "$1" "$tmp/krew"
}
is "a manifest of krew" "$(of '[.apiVersion, .kind, .metadata.name, .spec.version,
    (.spec.shortDescription | length > 0 and length < 80), .spec.homepage] | join(" ")')" \
    "krew.googlecontainertools.github.com/v1alpha2 Plugin predicate v$version true $homepage"
case $(uname -m) in
x86_64) machine=amd64 ;;
aarch64) machine=arm64 ;;
*) machine=$(uname -m) ;;
esac
# As krew does: the platform whose labels match, the archive and its sum, the files
# that it names, the program, and a link by the name of the plugin.
of '.spec.platforms[] | select(.selector.matchLabels == {os: "linux",
    arch: "'"$machine"'"})' >"$tmp/platform"
archive=$tmp/out/$(jq -r .uri "$tmp/platform" | sed 's|.*/||')
is "the archive has its sum" "$(sha256sum <"$archive" | cut -c 1-64)" \
    "$(jq -r .sha256 "$tmp/platform")"
mkdir -p "$tmp/unpacked" "$tmp/store/v$version" "$tmp/bin"
tar xzf "$archive" -C "$tmp/unpacked"
jq -r '.files[] | .from + " " + .to' "$tmp/platform" >"$tmp/files"
while read -r from to; do
	cp -R "$tmp/unpacked"/$from "$tmp/store/v$version/$to" || fail "it has $from"
done <"$tmp/files"
is "no file of the archive is left out" \
    "$(ls "$tmp/unpacked")" "$(ls "$tmp/store/v$version")"
ln -s "$tmp/store/v$version/$(jq -r .bin "$tmp/platform")" "$tmp/bin/kubectl-predicate"
is "the plugin runs" "$(PATH=$tmp/bin:$PATH kubectl-predicate version --client 2>&1)" \
    "Client Version: v$version"
if command -v kubectl >/dev/null; then
	is "kubectl finds it" "$(PATH=$tmp/bin:$PATH kubectl predicate version --client 2>&1)" \
	    "Client Version: v$version"
else
	skip "kubectl finds it" "there is no kubectl"
fi
has "it explains" "$(PATH=$tmp/bin:$PATH kubectl-predicate explain \
    --policy etc/examples/policy.cfg --cluster etc/examples/cluster.yaml \
    --pod shop/forecast 2>&1)" "shop/forecast"

# ---- OLM ----

olm=$tmp/out/olm
json "$olm/manifests/predicated.clusterserviceversion.yaml" "$tmp/csv"
json "$olm/metadata/annotations.yaml" "$tmp/annotations"
csv() {
	jq -r "$1" "$tmp/csv"
}
is "a ClusterServiceVersion" "$(csv '[.apiVersion, .kind, .metadata.name,
    .spec.version, .spec.install.strategy] | join(" ")')" \
    "operators.coreos.com/v1alpha1 ClusterServiceVersion predicated.v$version $version deployment"
is "with all that its schema and a catalogue ask for" "$(csv '[(.spec.displayName,
    .spec.description, .spec.maintainers[0].name, .spec.maintainers[0].email,
    .spec.provider.name, .spec.links[0].url, .metadata.annotations.containerImage,
    .metadata.annotations.createdAt | type == "string" and length > 0)] | all')" true
is "each mode of installation once" "$(csv '[.spec.installModes[].type] | sort | join(" ")')" \
    "AllNamespaces MultiNamespace OwnNamespace SingleNamespace"
is "who is behind it" "$(csv '.spec.maintainers[0] | "\(.name) <\(.email)>"')" \
    "$(value PROJECT_MAINTAINER)"
for file in base components/openshift; do
	json "etc/kubernetes/$file/rbac.yaml" "$tmp/rbac"
	cat "$tmp/rbac"
done | jq -sS '[.[] | select(.kind == "ClusterRole" and
    .metadata.name != "predicated:namespaces") | .rules[]]' >"$tmp/rules"
is "the permissions are those of etc/kubernetes" \
    "$(jq -S '.spec.install.spec.clusterPermissions[0].rules[:-4]' "$tmp/csv")" \
    "$(cat "$tmp/rules")"
is "four more: to ask who may ask, and to run as it does" \
    "$(csv '.spec.install.spec.clusterPermissions[0].rules[-4:][] |
	"\(.verbs | join(",")) \(.resources[0]) \(.resourceNames // [] | join(","))"')" \
    "create tokenreviews 
create subjectaccessreviews 
get,list,watch configmaps extension-apiserver-authentication
use securitycontextconstraints nonroot,nonroot-v2"
json etc/kubernetes/base/rbac.yaml "$tmp/rbac"
is "in its namespace the lock alone" \
    "$(jq -S '.spec.install.spec.permissions[0].rules' "$tmp/csv")" \
    "$(jq -S 'select(.kind == "Role").rules' "$tmp/rbac")"
json etc/kubernetes/base/deployment.yaml "$tmp/deployment"
json etc/kubernetes/overlays/openshift/deployment.yaml "$tmp/overlay"
is "the Deployment is that of the overlay, with its image and its lock" \
    "$(jq -S '.spec.install.spec.deployments[0].spec' "$tmp/csv")" \
    "$(jq -sS '.[1].spec.template.spec.containers[0].args as $args | .[0].spec |
	.template.spec.containers[0] += {
	    image: "registry.test/predicated:1",
	    args: ($args + ["--leader-elect-resource-namespace=$(NAMESPACE)"]),
	    env: [{name: "NAMESPACE", valueFrom: {fieldRef: {
		fieldPath: "metadata.namespace"}}}]
	}' "$tmp/deployment" "$tmp/overlay")"
is "the account is the one with the permissions" "$(csv '.spec.install.spec |
    [.deployments[0].spec.template.spec.serviceAccountName,
    .permissions[].serviceAccountName, .clusterPermissions[].serviceAccountName] |
    unique | join(" ")')" predicated
is "the image's labels are the annotations" \
    "$(sed -n 's/^LABEL //p' "$olm/Containerfile")" \
    "$(jq -r '.annotations | to_entries[] | .key + "=" + .value' "$tmp/annotations")"
is "the annotations name what is there" "$(jq -r '.annotations |
    to_entries[] | select(.value | endswith("/")).value' "$tmp/annotations" |
    while read -r folder; do [ -d "$olm/$folder" ] || echo "$folder"; done)" ""

# ---- Artifact Hub ----

json "$tmp/out/artifacthub-pkg.yml" "$tmp/hub"
is "the fields that Artifact Hub requires" "$(jq -r '[(.version, .name, .displayName,
    .description | type == "string" and length > 0),
    (.createdAt | test("^[0-9-]{10}T[0-9:]{8}Z$"))] | all' "$tmp/hub")" true
is "version, licence, homepage, image" "$(jq -r '[.version, .license, .homeURL,
    .containersImages[0].image] | join(" ")' "$tmp/hub")" \
    "$version Apache-2.0 $homepage registry.test/predicated:1"

is "a build is needed" "$(mkdir "$tmp/empty" && cp "$BUILDDIR/config.h" "$tmp/empty/" &&
    script/catalogs "$tmp/empty" 2>&1 | grep -c 'is not built')" 1
finish
