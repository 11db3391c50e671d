# SPDX-License-Identifier: Apache-2.0
# The policy layer.
libsandbox_libsbxcore_la_SOURCES += \
	libsandbox/policy/compile.c \
	libsandbox/policy/expand.c \
	libsandbox/policy/expand.h \
	libsandbox/policy/flat.c \
	libsandbox/policy/flat.h \
	libsandbox/policy/grant.c \
	libsandbox/policy/json.c \
	libsandbox/policy/json.h \
	libsandbox/policy/json_values.c \
	libsandbox/policy/names.c \
	libsandbox/policy/paths.c \
	libsandbox/policy/paths.h \
	libsandbox/policy/policy.c \
	libsandbox/policy/policy.h \
	libsandbox/policy/profile.c \
	libsandbox/policy/profile.h \
	libsandbox/policy/resolve.c \
	libsandbox/policy/resolve.h

dist_pkgdata_DATA += share/policy.schema.json
EXTRA_DIST += \
	examples/policies/build.json \
	examples/policies/read-only.json \
	examples/policies/service.json
