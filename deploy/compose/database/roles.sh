#!/bin/sh
# Runs once, on an empty cluster: the owner runs migrations, which grant the server's role its privileges.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres \
  --set owner="$(cat /run/secrets/database_owner)" --set server="$(cat /run/secrets/database_server)" <<'SQL'
create role portal_owner login password :'owner';
create role portal_app login password :'server';
create database portal owner portal_owner;
revoke connect on database portal from public;
grant connect on database portal to portal_app;
SQL
