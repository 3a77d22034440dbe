exampledir = $(pkgdatadir)/examples
dist_example_DATA = \
	%D%/examples/cluster.yaml \
	%D%/examples/openshift-default-configmap.yaml \
	%D%/examples/openshift-default.cfg \
	%D%/examples/openshift-sample-1.cfg \
	%D%/examples/openshift-sample-2.cfg \
	%D%/examples/openshift-sample-3.cfg \
	%D%/examples/openshift-sample-4.cfg \
	%D%/examples/openshift-sample-5.cfg \
	%D%/examples/policy.cfg \
	%D%/predicated.conf
kubernetesdir = $(pkgdatadir)/kubernetes
dist_kubernetes_DATA = \
	%D%/kubernetes/openshift-rbac.yaml \
	%D%/kubernetes/rbac.yaml
