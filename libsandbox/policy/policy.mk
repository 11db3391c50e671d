# SPDX-License-Identifier: Apache-2.0
# The policy layer.
libsandbox_libsbxcore_la_SOURCES += \
	libsandbox/policy/address.c \
	libsandbox/policy/address.h \
	libsandbox/policy/asker.c \
	libsandbox/policy/budget.c \
	libsandbox/policy/budget.h \
	libsandbox/policy/compile.c \
	libsandbox/policy/decide.c \
	libsandbox/policy/decide.h \
	libsandbox/policy/expand.c \
	libsandbox/policy/expand.h \
	libsandbox/policy/flat.c \
	libsandbox/policy/flat.h \
	libsandbox/policy/grant.c \
	libsandbox/policy/json.c \
	libsandbox/policy/json.h \
	libsandbox/policy/json_mandate.c \
	libsandbox/policy/json_values.c \
	libsandbox/policy/labels.c \
	libsandbox/policy/labels.h \
	libsandbox/policy/mandate.c \
	libsandbox/policy/mandate.h \
	libsandbox/policy/mandate_check.c \
	libsandbox/policy/match.c \
	libsandbox/policy/match.h \
	libsandbox/policy/names.c \
	libsandbox/policy/paths.c \
	libsandbox/policy/paths.h \
	libsandbox/policy/policy.c \
	libsandbox/policy/policy.h \
	libsandbox/policy/profile.c \
	libsandbox/policy/profile.h \
	libsandbox/policy/ratelimit.c \
	libsandbox/policy/ratelimit.h \
	libsandbox/policy/resolve.c \
	libsandbox/policy/resolve.h \
	libsandbox/policy/scope.c \
	libsandbox/policy/scope.h \
	libsandbox/policy/subset.c \
	libsandbox/policy/subset.h \
	libsandbox/policy/subset_paths.c \
	libsandbox/policy/subset_rules.c

dist_pkgdata_DATA += share/policy.schema.json
EXTRA_DIST += \
	examples/policies/build.json \
	examples/policies/read-only.json \
	examples/policies/service.json
