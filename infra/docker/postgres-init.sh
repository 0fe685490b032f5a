#!/bin/sh
# A database and a role for each service; nobody but its role may connect to a database.
set -eu
for name in auth documents payments wallet messaging cms; do
  psql -v ON_ERROR_STOP=1 -v name="karaar_$name" -v password="$DATABASE_PASSWORD" <<'SQL'
create role :"name" login password :'password';
create database :"name" owner :"name";
revoke connect on database :"name" from public;
SQL
done
