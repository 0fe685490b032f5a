#!/bin/sh
# Creates a database per service with an owner role and a runtime role; no other role may connect.
set -eu
for name in auth documents payments wallet messaging cms notifications; do
  prefix=$(echo "$name" | tr '[:lower:]' '[:upper:]')
  password=$(printenv "${prefix}_OWNER_PASSWORD")
  runtime_password=$(printenv "${prefix}_DATABASE_PASSWORD")
  psql -v ON_ERROR_STOP=1 -v name="karaar_$name" -v runtime="karaar_${name}_app" \
    -v password="$password" -v runtime_password="$runtime_password" <<'SQL'
create role :"name" login password :'password';
create role :"runtime" login password :'runtime_password';
create database :"name" owner :"name";
revoke all on database :"name" from public;
grant connect on database :"name" to :"runtime";
SQL
done
