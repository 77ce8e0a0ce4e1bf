-- Which database this is: a copy elsewhere, a restored dump or a promoted standby differs in one of these. Read at every
-- start, the timeline on every new connection (docs/operations.md, Failover).
create table database_identity (
  only_one boolean primary key default true check (only_one),
  system_identifier bigint not null,
  database_oid bigint not null,
  timeline text not null check (timeline ~ '^[0-9A-F]{8}$'),
  noted_at timestamptz not null,
  -- The newest event as `operator moving` left it: while it is the newest, another database is a planned move.
  moving_event bigint
);
-- Each running server says so every two seconds.
create table server_heartbeats (
  server integer primary key,
  role text not null,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  at timestamptz not null
);
-- After a failover that lost nothing, what was to be sent is sent once the outside says twice that it does not know it.
alter table operations add column sends_when_absent boolean not null default false;
