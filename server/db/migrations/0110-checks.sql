-- What checks stand on (product-decisions section 12): payments on hold, the account holder as read from the bank
-- statement, and the overrides of blocks, each for exactly the facts it was given for.
create table payment_holds (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  reason text not null,
  set_by uuid not null references staff (id),
  from_at timestamptz not null,
  until_at timestamptz,
  lifted_by uuid references staff (id),
  lifted_at timestamptz,
  lifted_reason text,
  version integer not null default 1,
  check (until_at > from_at),
  check ((lifted_by is null) = (lifted_at is null))
);
create index payment_holds_client on payment_holds (client_id) where lifted_at is null;

alter table bank_details add column holder_name text;

-- No facts here: they stand in the override's event, which erasure may empty.
create table check_overrides (
  id uuid primary key default uuidv7(),
  kind text not null,
  record uuid not null,
  client_id uuid references clients (id),
  check_name text not null,
  digest bytea not null,
  reason text not null,
  by_staff uuid not null references staff (id),
  at timestamptz not null,
  unique (kind, record, check_name, digest)
);
create index check_overrides_at on check_overrides (at, id);
revoke update on check_overrides from portal_app;
grant update (reason) on check_overrides to portal_app;
