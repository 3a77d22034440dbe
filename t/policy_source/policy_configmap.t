#!/bin/sh
# A policy in a ConfigMap of a real kube-apiserver: found, watched, refused.
. "$SRCDIR/t/lib/tap.sh"
. "$SRCDIR/t/lib/apiserver.sh"

header='"kind":"Policy","apiVersion":"v1"'
# One with one predicate beyond the mandatory ones, and one with two.
one="{$header,\"predicates\":[{\"name\":\"HostName\"}]}"
two="{$header,\"predicates\":[{\"name\":\"HostName\"},
	{\"name\":\"NoDiskConflict\"}]}"
unknown="{$header,\"predicates\":[{\"name\":\"Nonsense\"}]}"

# listen NAME [KUBECONFIG]: its pid is in $pid, what it says in $tmp/heard.
listen() {
	(KUBECONFIG=${2:-$admin} with_us "$BUILDDIR/t/policy_source/policy_configmap" \
	    kube-system "$1") >"$tmp/heard" 2>"$tmp/log" &
	pid=$!
}

# put NAME TEXT [KEY]
put() {
	echo "$2" >"$tmp/text"
	k create configmap "$1" -n kube-system --from-file \
	    "${3:-policy.cfg}=$tmp/text" --dry-run=client -o yaml |
	    k apply -f - >/dev/null 2>&1
}

# heard_last TEXT: whether the last thing heard begins with it.
heard_last() {
	case $(tail -n 1 "$tmp/heard") in
	"$1"*) ;;
	*) return 1 ;;
	esac
}

# awaits NAME TEXT
awaits() {
	if wait_until 20 heard_last "$2"; then
		pass "$1"
	else
		fail "$1" "got:  $(cat "$tmp/heard")
want: $2
$(tail -n 5 "$tmp/log")"
	fi
}

start_apiserver

listen none
awaits "one that is not there ends it" \
    "failed couldn't get policy config map kube-system/none: configmaps \"none\" not found"
wait "$pid"
k create configmap keyless -n kube-system --from-literal=other=1 >/dev/null
listen keyless
awaits "and one without the key" \
    "failed missing policy config map value at key \"policy.cfg\""
wait "$pid"
put policy "$unknown"
listen policy
awaits "and one that is no good" \
    "failed invalid policy: kube-system/policy[policy.cfg]:1:58: error: unknown predicate \"Nonsense\""
wait "$pid"
has "which the log explains" "$(cat "$tmp/log")" \
    "kube-system/policy[policy.cfg]:1:58: error: unknown predicate \"Nonsense\""
put policy "$one"
listen policy "$(kubeconfig_for nobody)"
awaits "and one that we may not read" \
    "failed couldn't get policy config map kube-system/policy: configmaps \"policy\" is forbidden: User \"nobody\" cannot get resource \"configmaps\""
wait "$pid"

# Rights for this one ConfigMap are enough; an API server is waited for.
k create role policy -n kube-system --verb=get,list,watch \
    --resource=configmaps --resource-name=policy >/dev/null
k create rolebinding policy -n kube-system --role=policy --user=reader \
    >/dev/null
reader=$(kubeconfig_for reader)
stop_kube_apiserver
listen policy "$reader"
sleep 2
is "without an API server it waits" "$(cat "$tmp/heard")" ""
start_kube_apiserver
wait_apiserver || bail_out "kube-apiserver does not come back"
awaits "then reads, with rights for this ConfigMap only" "policy 1 "
put policy "$two"
awaits "and watches" "policy 2 "
stop_process "$pid" TERM

put policy "$one"
listen policy
awaits "a policy" "policy 1 "
put policy "$two"
awaits "changed, it is read again" "policy 2 "
k annotate configmap policy -n kube-system a=b >/dev/null
sleep 1
is "unless only something else changed" "$(wc -l <"$tmp/heard")" 2
put policy "$unknown"
refusal="refused invalid policy: kube-system/policy[policy.cfg]:1:58: error: unknown predicate \"Nonsense\""
awaits "a bad one is refused" "$refusal"
kill -HUP "$pid"
wait_until 5 eval "[ \$(wc -l <$tmp/heard) -ge 4 ]"
is "once more when asked" "$(tail -n 2 "$tmp/heard")" "$refusal
$refusal"
put policy "" other.cfg
awaits "without its key it is refused" \
    "refused missing policy config map value at key \"policy.cfg\""
k delete configmap policy -n kube-system >/dev/null
awaits "gone, too" \
    "refused couldn't get policy config map kube-system/policy: configmaps \"policy\" not found"
put policy "$one"
awaits "until it is back" "policy 3 "
stop_kube_apiserver
start_kube_apiserver
wait_apiserver || bail_out "kube-apiserver does not come back"
put policy "$two"
awaits "the watch outlives the API server" "policy 4 "

events=$(k get events -n kube-system \
    --field-selector involvedObject.name=policy,involvedObject.kind=ConfigMap \
    -o 'jsonpath={range .items[*]}{.type} {.reason} {.message}{"\n"}{end}')
has "an event tells of the refusal, and where it is wrong" "$events" \
    "Warning PolicyRefused invalid policy: kube-system/policy[policy.cfg]:1:58: error: unknown predicate"
has "another of what applies" "$events" \
    "Normal PolicyApplied the changed policy is in use"
stop_process "$pid" TERM

finish
