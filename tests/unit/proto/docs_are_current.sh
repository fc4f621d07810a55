#!/bin/sh
# docs/protocol.md must be what protodoc prints. Usage: PROTODOC SOURCE_DIR
set -eu
new=$(mktemp)
trap 'rm -f "$new"' EXIT
"$1" "$2/src/proto/protocol.md.in" >"$new"
diff -u "$2/docs/protocol.md" "$new" || {
  echo "docs/protocol.md is stale: run scripts/dev/gendocs" >&2
  exit 1
}
