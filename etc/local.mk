exampledir = $(pkgdatadir)/examples
dist_example_DATA = \
	%D%/examples/cluster.yaml \
	%D%/examples/kubescheduler-v1.yaml \
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
	%D%/kubernetes/deployment.yaml \
	%D%/kubernetes/kosmos-crds.yaml \
	%D%/kubernetes/kosmos-rbac.yaml \
	%D%/kubernetes/stickyjobs.yaml \
	%D%/kubernetes/kustomization.yaml \
	%D%/kubernetes/network-policy.yaml \
	%D%/kubernetes/openshift-rbac.yaml \
	%D%/kubernetes/policy.cfg \
	%D%/kubernetes/rbac.yaml
staticpoddir = $(kubernetesdir)/static-pod
dist_staticpod_DATA = %D%/kubernetes/static-pod/kube-scheduler.yaml
EXTRA_DIST += %D%/kubernetes/Containerfile

# ---- systemd; the daemon itself needs nothing of it ----

if WITH_SYSTEMD_UNIT
nodist_systemdsystemunit_DATA = %D%/predicated.service
endif
EXTRA_DIST += %D%/predicated.service.in %D%/predicated.sysusers
CLEANFILES += %D%/predicated.service
all-local: %D%/predicated.service
%D%/predicated.service: %D%/predicated.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	sed -e 's|@bindir[@]|$(bindir)|g' -e 's|@sysconfdir[@]|$(sysconfdir)|g' \
	    '$(srcdir)/%D%/predicated.service.in' >$@.new && mv $@.new $@

# A configuration that an administrator has changed stays, both ways.
configuration = $(DESTDIR)$(sysconfdir)/predicated/predicated.conf
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(sysconfdir)/predicated'
	test -e '$(configuration)' || \
	    $(INSTALL_DATA) '$(srcdir)/%D%/predicated.conf' '$(configuration)'
uninstall-local:
	! cmp -s '$(srcdir)/%D%/predicated.conf' '$(configuration)' || \
	    rm '$(configuration)'
