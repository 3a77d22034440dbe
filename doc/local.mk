dist_doc_DATA += \
	%D%/explain.svg \
	%D%/architecture.md \
	%D%/canary.md \
	%D%/compatibility.md \
	%D%/configuration.md \
	%D%/differences.md \
	%D%/fields.md \
	%D%/glossary.md \
	%D%/hacking.md \
	%D%/kosmos.md \
	%D%/kubeadm.md \
	%D%/kubernetes.md \
	%D%/openshift.md \
	%D%/operations.md \
	%D%/packages.md \
	%D%/performance.md \
	%D%/promises.md \
	%D%/replay.md \
	%D%/plugins.md \
	%D%/systemd.md \
	%D%/threat-model.md \
	%D%/troubleshooting.md \
	%D%/web.md \
	%D%/web-daemon.png \
	%D%/web-decisions.png \
	%D%/web-nodes.png \
	%D%/web-overview.png \
	%D%/web-pod.png \
	%D%/web-queue.png \
	%D%/web-queue-narrow.png \
	%D%/web-workbench.png \
	%D%/web-workbench-narrow.png
semanticsdir = $(docdir)/semantics
dist_semantics_DATA = \
	%D%/semantics/README.md \
	%D%/semantics/01-policy.md \
	%D%/semantics/02-predicates.md \
	%D%/semantics/03-priorities.md \
	%D%/semantics/04-scheduling-loop.md \
	%D%/semantics/05-extenders.md \
	%D%/semantics/06-kosmos.md \
	%D%/semantics/07-openshift.md \
	%D%/semantics/08-kubeschedulerconfiguration.md \
	%D%/semantics/09-modern-clusters.md \
	%D%/semantics/10-worked-examples.md \
	%D%/semantics/11-kube-1.36.md \
	%D%/semantics/12-kube-1.20.md
dist_man_MANS += %D%/policy.cfg.5 %D%/predicatectl.1 \
	%D%/predicated.8 %D%/predicated.conf.5
