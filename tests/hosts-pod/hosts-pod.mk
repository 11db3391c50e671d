# SPDX-License-Identifier: Apache-2.0
# Tier B in a container that is made as Kubernetes makes a pod's: needs root,
# and runc or crun.
POD_TESTS = $(filter tests/live/test_%, $(TESTS))

check-pod: all
	$(MAKE) check TESTS=
	bash $(top_srcdir)/tests/hosts-pod/run.sh '$(abs_top_srcdir)' \
		'$(abs_top_builddir)' $(POD_TESTS)

.PHONY: check-pod
EXTRA_DIST += tests/hosts-pod/bundle.py tests/hosts-pod/containment.skip \
	tests/hosts-pod/field.skip tests/hosts-pod/in-pod.sh \
	tests/hosts-pod/run.sh tests/hosts-pod/tier.sh
