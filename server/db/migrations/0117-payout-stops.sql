-- A debit at the bank with a reference of our form that no record has: payouts stop until two people of finance explain it
-- or open recovery (mechanics section 13, ADR 117).
create table payout_stops (
  id uuid primary key default uuidv7(),
  bank_line uuid not null references bank_lines (id),
  reference text not null,
  amount_minor bigint not null,
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  state text not null default 'open' check (state in ('open', 'explained', 'lifted', 'recovery')),
  imported_by uuid references staff (id),
  explanation text,
  explained_by uuid references staff (id),
  explained_at timestamptz,
  decided_by uuid references staff (id),
  decided_at timestamptz,
  created_at timestamptz not null,
  version integer not null default 1,
  check (explained_by is null or explained_by <> imported_by),
  check (decided_by is null or (decided_by <> explained_by and decided_by is distinct from imported_by))
);
create index payout_stops_open on payout_stops (created_at) where state in ('open', 'explained');
