#!/bin/sh
# Starts node with a variable from the first place that has it:
#   NAME itself; the file that NAME_FILE names, as /run/secrets/name; the file NAME in SETTINGS_DIR.
set -eu

# take NAME FILE: NAME becomes what the file holds, unless it has a value.
take() {
  case $1 in *[!A-Z0-9_]* | '') return ;; esac
  eval "value=\${$1:-}"
  if [ -z "$value" ]; then export "$1=$(cat "$2")"; fi
}

for name in DATABASE_URL QUEUES_DATABASE_URL REDIS_URL POSTGRES_PASSWORD REDIS_PASSWORD \
  OPS_API_KEY INTERNAL_TOKEN_SECRET ACCESS_TOKEN_PRIVATE_KEY CODE_PEPPER ENCRYPTION_KEY \
  TWILIO_AUTH_TOKEN FACTURAPI_KEY; do
  eval "file=\${${name}_FILE:-}"
  if [ -n "$file" ]; then take "$name" "$file"; fi
  unset "${name}_FILE"
done
if [ -n "${SETTINGS_DIR:-}" ]; then
  for file in "$SETTINGS_DIR"/*; do
    if [ -f "$file" ]; then take "${file##*/}" "$file"; fi
  done
fi
exec node --enable-source-maps "$@"
