check_PROGRAMS += %D%/policy_source.t

# Against a real kube-apiserver.
noinst_PROGRAMS += %D%/policy_configmap
API_TESTS += \
	%D%/openshift.t \
	%D%/openshift_object.t \
	%D%/policy_configmap.t \
	%D%/policy_reload.t
EXTRA_DIST += \
	%D%/openshift.sh \
	%D%/openshift.t \
	%D%/openshift_object.t \
	%D%/policy_configmap.t \
	%D%/policy_reload.t \
	t/data/openshift/scheduler-crd.yaml
