# shellcheck shell=sh
# Sourced by script/openshift and script/kosmos, after t/daemon/e2e.sh: this machine in the
# place of nodes, with the programs of pods as its processes.

# node NAME [LABEL TAINT]
node() {
	k create -f - <<-END
	apiVersion: v1
	kind: Node
	metadata: {name: $1, labels: {kubernetes.io/hostname: $1, ${2-}}}
	spec: {taints: [${3-}]}
	status:
	  allocatable: {cpu: "8", memory: 16Gi, pods: "100"}
	  capacity: {cpu: "8", memory: 16Gi, pods: "100"}
	  conditions: [{type: Ready, status: "True"}]
	END
}

# in_container MOUNTS WORDS COMMAND…: the words follow the command, one a line.  MOUNTS has
# "FROM TO" a line: folders, and where they are below /etc and /run.
in_container() {
	mounts=$1
	words=$2
	shift 2
	while read -r word; do
		set -- "$@" "$word"
	done <"$words"
	with_us unshare --mount sh -c '
		mount -t tmpfs tmpfs /run && mount -t tmpfs tmpfs /etc &&
		    while read -r from to; do
			mkdir -p "$to" && mount --bind "$from" "$to" || exit
		done <"$0" && exec "$@"' "$mounts" "$@"
}

# serve_deployment NAMESPACE NAME PROGRAM, in the background: runs it as often, and with such
# arguments and files, as the Deployment says, and says in its status how many are healthy.
# Their ports are others: they are on one machine.
serve_deployment() {
	path=/apis/apps/v1/namespaces/$1/deployments/$2
	pod=$tmp/pods/$2
	served=
	pids=
	mkdir -p "$pod"
	while :; do
		request GET "$path" >"$pod/json" 2>/dev/null || echo '{}' >"$pod/json"
		for pid in $pids; do
			running "$pid" || served=
		done
		now=$(jq -c '[.metadata.uid, .metadata.generation]' "$pod/json")
		if [ "$now" != "$served" ]; then
			for pid in $pids; do
				stop_process "$pid" TERM
			done
			pids=
			ports=
			! start_pods "$@" || served=$now
		fi
		healthy=0
		for scheduler_port in $ports; do
			! scheduler_up >/dev/null 2>&1 || healthy=$((healthy + 1))
		done
		request PATCH "$path/status" "$(jq '.spec.replicas as $replicas | {status: {
		    observedGeneration: .metadata.generation, replicas: $replicas,
		    updatedReplicas: $replicas, readyReplicas: $healthy,
		    availableReplicas: $healthy}}' --argjson healthy $healthy "$pod/json")" \
		    >/dev/null 2>&1
		sleep 0.5
	done
}

start_pods() {
	rm -rf "$pod/account" "$pod/configmaps" "$pod/secrets"
	mkdir "$pod/account"
	jq -r '.spec.template.spec // {} | . as $spec | .containers[0].volumeMounts[]? as $mount |
	    $spec.volumes[] | select(.name == $mount.name) |
	    if .configMap then "configmaps/" + .configMap.name
	    elif .secret then "secrets/" + .secret.secretName else empty end +
	    " " + $mount.mountPath' "$pod/json" >"$pod/volumes"
	jq -r '.spec.template.spec.containers[0] // {} |
	    (.command // [])[1:] + (.args // []) | .[]' "$pod/json" >"$pod/words"
	replicas=$(jq '.spec.replicas // 0' "$pod/json")
	[ "$replicas" -gt 0 ] || return 0
	service_account_token "$1" \
	    "$(jq -r .spec.template.spec.serviceAccountName "$pod/json")" \
	    >"$pod/account/token" || return
	cp "$apiserver_ca" "$pod/account/ca.crt"
	printf %s "$1" >"$pod/account/namespace"
	echo "$pod/account /run/secrets/kubernetes.io/serviceaccount" >"$pod/mounts"
	while read -r object to; do
		request GET "/api/v1/namespaces/$1/$object" >"$pod/object" || return
		mkdir -p "$pod/$object"
		jq -r '.kind as $kind | .data | to_entries[] | .key + " " +
		    if $kind == "Secret" then .value else .value | @base64 end' \
		    "$pod/object" | while read -r key value; do
			echo "$value" | base64 -d >"$pod/$object/$key"
		done
		case $to in
		/etc/* | /run/*) ;;
		*)
			sed -i "s,=$to/,=/run$to/," "$pod/words"
			to=/run$to
			;;
		esac
		echo "$pod/$object $to" >>"$pod/mounts"
	done <"$pod/volumes"
	for _ in $(seq "$replicas"); do
		scheduler_port=$(free_port)
		{
			cat "$pod/words"
			echo "--secure-port=$scheduler_port"
		} >"$pod/words.$scheduler_port"
		(
			export KUBERNETES_SERVICE_HOST=127.0.0.1 \
			    KUBERNETES_SERVICE_PORT="$apiserver_port"
			in_container "$pod/mounts" "$pod/words.$scheduler_port" "$3"
		) >>"$reports/$run.$2.log" 2>&1 &
		pids="$pids $!"
		ports="$ports $scheduler_port"
	done
}
