#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make configure from configure.ac; needs autoconf, automake, libtool and
# autoconf-archive.
set -eu
cd "$(dirname "$0")"
mkdir -p m4
autoreconf --install --force
