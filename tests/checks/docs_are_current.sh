#!/bin/sh
# A page must be what its generator prints. Usage: GENERATOR TEMPLATE PAGE
set -eu
new=$(mktemp)
trap 'rm -f "$new"' EXIT
"$1" "$2" >"$new"
diff -u "$3" "$new" || {
  echo "$3 is stale: run scripts/dev/gendocs" >&2
  exit 1
}
