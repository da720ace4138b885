#!/bin/sh
# Each service has a database, and a role that owns that database only. The Postgres image runs this once, on an empty volume;
# a second run sets the passwords of all roles from the files.
set -eu

run_sql() {
  psql --quiet --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres "$@"
}

# Passwords are read by psql itself, so that no process list shows them.
ensure() {
  export NAME="$1"
  run_sql --set=name="$NAME" <<'SQL'
\set password `cat "/run/secrets/$NAME-database-password"`
SELECT format('CREATE ROLE %I', :'name') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
ALTER ROLE :"name" LOGIN PASSWORD :'password';
SELECT format('CREATE DATABASE %I OWNER %I', :'name', :'name')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') \gexec
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
}

run_sql <<'SQL'
\set password `cat /run/secrets/postgres-password`
ALTER ROLE CURRENT_USER PASSWORD :'password';
SQL
ensure ussd
ensure oracle
