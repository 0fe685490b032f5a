#!/bin/sh
# Creates a cluster from the variables of the official image and runs the server with the given arguments.
set -eu
cluster=/var/lib/postgresql/data
[ "${1:-}" = postgres ] && shift
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$cluster"
  chown postgres "$cluster"
  exec setpriv --reuid postgres --regid postgres --clear-groups "$0" "$@"
fi
if [ ! -s "$cluster/PG_VERSION" ]; then
  printf '%s\n' "$POSTGRES_PASSWORD" >/tmp/password
  # Unquoted: each word is an argument.
  # shellcheck disable=SC2086
  initdb --pgdata="$cluster" --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 \
    --no-instructions $POSTGRES_INITDB_ARGS
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$cluster/pg_hba.conf"
fi
exec postgres -D "$cluster" -c listen_addresses='*' -c unix_socket_directories='' "$@"
