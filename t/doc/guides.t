#!/bin/sh
# Guides that replace a scheduler: followed to the letter they leave no cluster without
# one. What has to be there comes before what takes the old scheduler away.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/page.sh"
doc=$SRCDIR/doc

# section FILE HEADING: from this heading to the next of its level.
section() {
	awk -v heading="## $2" '/^## / { on = $0 == heading } on' "$doc/$1"
}

# before NAME TEXT FIRST SECOND: FIRST is in the text, and SECOND after it.
before() {
	is "$1" "$(printf '%s\n' "$2" | awk -v first="$3" -v second="$4" '
	    index($0, first) { seen = 1 }
	    index($0, second) { print seen + 0; exit }')" 1
}

recipe=$(section kubeadm.md "Instead of kube-scheduler" |
    sed -n '/^       sed /,/kube-scheduler.yaml >/p' | sed 's|>.*||')
(cd "$SRCDIR" && eval "$recipe") >"$tmp/kube-scheduler.yaml"
is "kubeadm: the image's name is the one that podman gives" \
    "$(sed -n 's/^ *image: //p' "$tmp/kube-scheduler.yaml")" \
    "localhost/predicated:$(sed -n 's/^AC_INIT(\[predicated\], \[\([^]]*\)\].*/\1/p' \
	"$SRCDIR/configure.ac")"
before "kubeadm: the image is looked for before the manifest is replaced" \
    "$(section kubeadm.md "Instead of kube-scheduler")" \
    "crictl inspecti localhost/predicated" "/etc/kubernetes/manifests/"
before "kosmos: predicated is ready before kosmos-scheduler goes" \
    "$(section kosmos.md "Replace kosmos-scheduler")" \
    "rollout status deployment/predicated" "--replicas=0"
before "kosmos: permissions before the flag that needs them" \
    "$(section kosmos.md "Replace kube-scheduler")" \
    "kubectl apply -f etc/kubernetes/components/kosmos/rbac.yaml" "flag \`--kosmos\`"
before "kosmos: back, the old scheduler comes before predicated goes" \
    "$(section kosmos.md "Going back")" "--replicas=1" "kubectl delete"
has "kosmos: the dump has storage classes" \
    "$(section kosmos.md "Test before you change the cluster")" ",sc,"
before "kubernetes: the rollout before kube-scheduler goes" \
    "$(section kubernetes.md "Replace kube-scheduler")" \
    "rollout status deployment/predicated" "sudo mv"
before "systemd: the port is free before predicated starts" \
    "$(section systemd.md "Change over")" "ss -Hltn" "systemctl enable --now"
before "systemd: options and policy are checked before" \
    "$(cat "$doc/systemd.md")" "predicated --check" "systemctl enable --now"
before "openshift: installers end before the manifest is edited" \
    "$(section openshift.md "Instead of the scheduler, up to 4.9")" "'^installer-'" "vi /etc"
before "openshift: the image is pulled before" \
    "$(section openshift.md "Instead of the scheduler, up to 4.9")" "crictl pull" "vi /etc"

# script/openshift and script/kosmos run these, and need programs of others to find that they
# are gone.
while IFS=/ read -r page section start; do
	has "$page: there is '$start'" "$(commands "$page" "$section" "$start")" "$start"
done <<'END'
openshift.md/Instead of the scheduler, up to/oc apply -f
openshift.md/Instead of the scheduler, up to/oc patch clusterversion
openshift.md/Instead of the scheduler, up to/oc get pods -n openshift-kube-scheduler-operator
openshift.md/Instead of the scheduler, up to/oc scale deployment -n openshift-kube-scheduler-operator --replicas=1
openshift.md/With the secondary-scheduler-operator/apiVersion: 
openshift.md/With the secondary-scheduler-operator/oc create configmap
kosmos.md/Replace kosmos-scheduler/kubectl kustomize
kosmos.md/Replace kosmos-scheduler/kubectl -n kube-system logs
kosmos.md/With Kosmos' own configuration file/kubectl -n kosmos-system get configmap
kosmos.md/With Kosmos' own configuration file/args:
kosmos.md/Test before you change the cluster/kubectl get nodes
kosmos.md/Going back/kubectl -n kosmos-system scale
END
finish
