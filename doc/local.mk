dist_doc_DATA += \
	%D%/architecture.md \
	%D%/differences.md \
	%D%/hacking.md \
	%D%/kosmos.md \
	%D%/kubeadm.md \
	%D%/openshift.md \
	%D%/performance.md \
	%D%/systemd.md \
	%D%/threat-model.md
dist_man_MANS += %D%/policy.cfg.5 %D%/predicatectl.1 \
	%D%/predicated.8 %D%/predicated.conf.5
