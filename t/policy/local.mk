check_PROGRAMS += \
	%D%/openshift.t \
	%D%/policy.t
EXTRA_DIST += \
	t/data/policy/broken-configmap.yaml \
	t/data/policy/broken-configmap.yaml.problems \
	t/data/policy/configmap.json \
	t/data/policy/configmap.json.problems \
	t/data/policy/configmap.yaml \
	t/data/policy/configmap.yaml.problems \
	t/data/policy/mistakes.cfg \
	t/data/policy/mistakes.cfg.problems \
	t/data/policy/nested.yaml \
	t/data/policy/nested.yaml.problems \
	t/data/policy/singular.cfg \
	t/data/policy/singular.cfg.problems \
	t/data/policy/two.yaml \
	t/data/policy/two.yaml.problems \
	t/data/policy/vanishing.yaml \
	t/data/policy/vanishing.yaml.problems
