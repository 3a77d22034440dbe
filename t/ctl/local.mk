check_PROGRAMS += \
	%D%/options.t \
	%D%/simulate_trace.t \
	%D%/table.t
dist_check_SCRIPTS += \
	%D%/audit.t \
	%D%/bad_input.t \
	%D%/bundle.t \
	%D%/capacity.t \
	%D%/check.t \
	%D%/cli.t \
	%D%/completion.t \
	%D%/config.t \
	%D%/defrag.t \
	%D%/diagnosis.t \
	%D%/diff.t \
	%D%/drain.t \
	%D%/explain.t \
	%D%/fields.t \
	%D%/history.t \
	%D%/kosmos.t \
	%D%/lint.t \
	%D%/openshift.t \
	%D%/operators.t \
	%D%/packed.t \
	%D%/release.t \
	%D%/simulate.t \
	%D%/tune.t \
	%D%/upgrade.t \
	%D%/why_not.t
# On a real kube-apiserver.
API_TESTS += %D%/live.t
EXTRA_DIST += \
	%D%/live.t \
	%D%/ctl.sh \
	%D%/make_trace.sh \
	t/data/ctl/fields.yaml \
	t/data/ctl/diagnosis/affinity.yaml \
	t/data/ctl/diagnosis/anti-affinity.yaml \
	t/data/ctl/diagnosis/anti-affinity-zone.yaml \
	t/data/ctl/diagnosis/label.yaml \
	t/data/ctl/diagnosis/nominated.yaml \
	t/data/ctl/diagnosis/preempting.yaml \
	t/data/ctl/diagnosis/claim-missing.yaml \
	t/data/ctl/diagnosis/claim-unbound.yaml \
	t/data/ctl/diagnosis/gpu.yaml \
	t/data/ctl/diagnosis/host-port.yaml \
	t/data/ctl/diagnosis/priorities.yaml \
	t/data/ctl/diagnosis/selector.yaml \
	t/data/ctl/diagnosis/spread.yaml \
	t/data/ctl/diagnosis/taint.yaml \
	t/data/ctl/diagnosis/too-big.yaml \
	t/data/ctl/diagnosis/volume-zone.yaml \
	t/data/ctl/live.yaml \
	t/data/ctl/explain-openshift-default-configmap-forecast.json \
	t/data/ctl/explain-openshift-default-configmap-web-5f6c8-4.json \
	t/data/ctl/explain-openshift-default-forecast.json \
	t/data/ctl/explain-openshift-default-web-5f6c8-4.json \
	t/data/ctl/explain-openshift-sample-1-forecast.json \
	t/data/ctl/explain-openshift-sample-1-web-5f6c8-4.json \
	t/data/ctl/explain-openshift-sample-2-forecast.json \
	t/data/ctl/explain-openshift-sample-2-web-5f6c8-4.json \
	t/data/ctl/explain-openshift-sample-3-forecast.json \
	t/data/ctl/explain-openshift-sample-3-web-5f6c8-4.json \
	t/data/ctl/explain-openshift-sample-4-forecast.json \
	t/data/ctl/explain-openshift-sample-4-web-5f6c8-4.json \
	t/data/ctl/explain-openshift-sample-5-forecast.json \
	t/data/ctl/explain-openshift-sample-5-web-5f6c8-4.json \
	t/data/ctl/explain-policy-forecast.json \
	t/data/ctl/explain-policy-web-5f6c8-4.json
