#!/bin/sh
# First start: creates the cluster with a password for the superuser and runs /docker-entrypoint-initdb.d/*.sh on a server
# without a network. Every start: becomes the command.
set -eu

if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_PASSWORD_FILE:?the file with the password of the superuser}"
  # The next start would use an incomplete cluster.
  trap 'pg_ctl stop --silent --mode=immediate 2>/dev/null || true; rm -rf "${PGDATA:?}"/*' EXIT
  initdb --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE" --auth-local=peer --auth-host=scram-sha-256 >/dev/null
  printf 'host all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
  printf "listen_addresses = '*'\n" >>"$PGDATA/postgresql.conf"
  pg_ctl start --silent --wait --options="-c listen_addresses=''"
  for script in /docker-entrypoint-initdb.d/*.sh; do
    if [ -e "$script" ]; then sh "$script"; fi
  done
  pg_ctl stop --silent --wait --mode=fast
  trap - EXIT
fi

exec "$@"
