exampledir = $(pkgdatadir)/examples
dist_example_DATA = \
	%D%/examples/cluster.yaml \
	%D%/examples/decide.c \
	%D%/examples/kube-scheduler.yaml \
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
# Installed with their folders, which kustomize needs.
kubernetes_files = \
	%D%/kubernetes/base/deployment.yaml \
	%D%/kubernetes/base/kustomization.yaml \
	%D%/kubernetes/base/network-policy.yaml \
	%D%/kubernetes/base/rbac.yaml \
	%D%/kubernetes/components/alerts/alerts.yaml \
	%D%/kubernetes/components/alerts/kustomization.yaml \
	%D%/kubernetes/components/canary/canary.yaml \
	%D%/kubernetes/components/canary/kustomization.yaml \
	%D%/kubernetes/components/dashboard/dashboard.json \
	%D%/kubernetes/components/dashboard/kustomization.yaml \
	%D%/kubernetes/components/disruption-budget-v1beta1/disruption-budget.yaml \
	%D%/kubernetes/components/disruption-budget-v1beta1/kustomization.yaml \
	%D%/kubernetes/components/disruption-budget/disruption-budget.yaml \
	%D%/kubernetes/components/disruption-budget/kustomization.yaml \
	%D%/kubernetes/components/kosmos-crds/crds.yaml \
	%D%/kubernetes/components/kosmos-crds/kustomization.yaml \
	%D%/kubernetes/components/kosmos/kustomization.yaml \
	%D%/kubernetes/components/kosmos/lock.yaml \
	%D%/kubernetes/components/kosmos/rbac.yaml \
	%D%/kubernetes/components/openshift/kustomization.yaml \
	%D%/kubernetes/components/openshift/rbac.yaml \
	%D%/kubernetes/components/policy/kustomization.yaml \
	%D%/kubernetes/components/policy/policy.cfg \
	%D%/kubernetes/components/policy/rbac.yaml \
	%D%/kubernetes/components/service-monitor/kustomization.yaml \
	%D%/kubernetes/components/service-monitor/service-monitor.yaml \
	%D%/kubernetes/components/service-monitor/service.yaml \
	%D%/kubernetes/components/sticky-jobs/kustomization.yaml \
	%D%/kubernetes/components/sticky-jobs/stickyjobs.yaml \
	%D%/kubernetes/overlays/kosmos/deployment.yaml \
	%D%/kubernetes/overlays/kosmos/kustomization.yaml \
	%D%/kubernetes/overlays/openshift/deployment.yaml \
	%D%/kubernetes/overlays/openshift/kustomization.yaml \
	%D%/kubernetes/overlays/replace-kube-scheduler/deployment.yaml \
	%D%/kubernetes/overlays/replace-kube-scheduler/kustomization.yaml \
	%D%/kubernetes/overlays/replace-kube-scheduler/lock.yaml \
	%D%/kubernetes/overlays/second-scheduler/deployment.yaml \
	%D%/kubernetes/overlays/second-scheduler/kustomization.yaml \
	%D%/kubernetes/static-pod/kube-scheduler.yaml
EXTRA_DIST += $(kubernetes_files)
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
kubernetesdir = $(DESTDIR)$(pkgdatadir)/kubernetes
configuration = $(DESTDIR)$(sysconfdir)/predicated/predicated.conf
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(sysconfdir)/predicated'
	test -e '$(configuration)' || \
	    $(INSTALL_DATA) '$(srcdir)/%D%/predicated.conf' '$(configuration)'
	for file in $(kubernetes_files); do \
		to='$(kubernetesdir)'/$${file#%D%/kubernetes/}; \
		$(MKDIR_P) "$${to%/*}" && \
		$(INSTALL_DATA) "$(srcdir)/$$file" "$$to" || exit; \
	done
uninstall-local:
	for file in $(kubernetes_files); do \
		rm -f '$(kubernetesdir)'/$${file#%D%/kubernetes/} || exit; \
	done
	! cmp -s '$(srcdir)/%D%/predicated.conf' '$(configuration)' || \
	    rm '$(configuration)'
