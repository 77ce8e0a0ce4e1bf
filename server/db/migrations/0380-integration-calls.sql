-- The calls to each integration by minute, of all servers: what the overview, the doctor and the metrics say of its health
-- (requirements 24.4). A day of them is kept; the last answer and the last failure are kept for good.
create table integration_calls (
  name text not null,
  minute timestamptz not null,
  answers integer not null,
  failures integer not null,
  -- The sum of the response times of the answers.
  ms bigint not null,
  primary key (name, minute)
);
create table integration_outcomes (
  name text primary key,
  answered_at timestamptz,
  failed_at timestamptz
);
