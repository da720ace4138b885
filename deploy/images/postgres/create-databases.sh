#!/bin/sh
# Each service has a database, and a role that owns it and nothing else. The Postgres image runs this once, on an empty
# volume; run again, it gives all roles the passwords that are in the environment now.
set -eu

ensure() {
  psql --quiet --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres \
    --set=name="$1" --set=password="$2" <<'SQL'
SELECT format('CREATE ROLE %I', :'name') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
ALTER ROLE :"name" LOGIN PASSWORD :'password';
SELECT format('CREATE DATABASE %I OWNER %I', :'name', :'name')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') \gexec
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
}

psql --quiet --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres \
  --set=password="$POSTGRES_PASSWORD" <<'SQL'
ALTER ROLE CURRENT_USER PASSWORD :'password';
SQL
ensure ussd "$USSD_DATABASE_PASSWORD"
ensure oracle "$ORACLE_DATABASE_PASSWORD"
