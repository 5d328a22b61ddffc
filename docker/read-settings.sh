#!/bin/sh
# Starts node with a variable from the first place that has it:
#   NAME itself; the file that NAME_FILE names, as /run/secrets/name; the file NAME in SETTINGS_DIR.
set -eu

# take NAME FILE: sets NAME to the content of the file, unless NAME has a value.
take() {
  case $1 in *[!A-Z0-9_]* | '') return ;; esac
  eval "value=\${$1:-}"
  if [ -z "$value" ]; then export "$1=$(cat "$2")"; fi
}

for name in DATABASE_URL MIGRATION_DATABASE_URL QUEUES_DATABASE_URL POSTGRES_PASSWORD GRAFANA_PASSWORD \
  REDIS_URL ACCOUNTS_REDIS_URL TRANSACTIONS_REDIS_URL PAYMENTS_REDIS_URL NOTIFIER_REDIS_URL \
  REDIS_PASSWORD ACCOUNTS_REDIS_PASSWORD TRANSACTIONS_REDIS_PASSWORD PAYMENTS_REDIS_PASSWORD \
  NOTIFIER_REDIS_PASSWORD OPS_API_KEY INTERNAL_TOKEN_PRIVATE_KEY \
  GATEWAY_INTERNAL_TOKEN_PRIVATE_KEY ACCOUNTS_INTERNAL_TOKEN_PRIVATE_KEY \
  TRANSACTIONS_INTERNAL_TOKEN_PRIVATE_KEY PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY \
  NOTIFIER_INTERNAL_TOKEN_PRIVATE_KEY GATEWAY_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS \
  ACCOUNTS_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS TRANSACTIONS_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS \
  PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS NOTIFIER_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS \
  ACCESS_TOKEN_PRIVATE_KEY ACCESS_TOKEN_PRIVATE_KEY_PREVIOUS CODE_PEPPER \
  CODE_PEPPER_PREVIOUS ENCRYPTION_KEY ENCRYPTION_KEY_PREVIOUS TWILIO_AUTH_TOKEN OIDC_CLIENT_SECRET \
  FACTURAPI_KEY UPLOADS_SECRET_ACCESS_KEY OTEL_EXPORTER_OTLP_HEADERS; do
  eval "file=\${${name}_FILE:-}"
  if [ -n "$file" ]; then take "$name" "$file"; fi
  unset "${name}_FILE"
done
if [ -n "${SETTINGS_DIR:-}" ]; then
  for file in "$SETTINGS_DIR"/*; do
    if [ -f "$file" ]; then take "${file##*/}" "$file"; fi
  done
fi
# The step `settings` starts as root, which can open these files whoever owns them, and runs as `node`. It
# gets secrets by the variables above, and settings from its standard input.
if [ -n "${SETTINGS_FILE:-}" ]; then
  exec setpriv --reuid node --regid node --init-groups node --enable-source-maps "$@" <"$SETTINGS_FILE"
fi
exec node --enable-source-maps "$@"
