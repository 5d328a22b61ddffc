#!/bin/bash
# Healthy means ready for requests. Written in Bash, because starting Node for each check costs a hundred
# times as much. The port is the one of the process.
port=${PORT:-${ACCOUNTS_PORT:-${TRANSACTIONS_PORT:-${PAYMENTS_PORT:-${NOTIFIER_PORT:-$CONSOLE_PORT}}}}}
exec 3<>"/dev/tcp/127.0.0.1/$port" || exit 1
printf 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
# Seconds; the health check's own time-out is longer.
read -r -t 4 _ status _ <&3 && [ "$status" = 200 ]
