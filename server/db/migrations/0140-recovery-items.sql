-- What recovery found at an integration and may not adopt without two people (mechanics section 13).
create table recovery_items (
  id uuid primary key default uuidv7(),
  kind text not null check (kind in ('decision-lost', 'request-lost', 'mismatch', 'second-deal', 'account-unknown')),
  platform text not null check (platform in ('MT4', 'MT5')),
  login text not null,
  ticket text not null,
  comment text not null,
  amount_minor bigint not null check (amount_minor <> 0),
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  deal_at timestamptz not null,
  -- The shown reference and the leg that the comment proves.
  reference text not null,
  leg text not null,
  subject text,
  record uuid,
  account_id uuid references trading_accounts (id),
  client_id uuid references clients (id),
  state text not null default 'open' check (state in ('open', 'proposed', 'settled')),
  action text check (action in ('adopt', 'reverse')),
  -- What the proposer named beside the action: bank account, destination account, type of deposit.
  proposal jsonb,
  reason text,
  proposed_by uuid references staff (id),
  proposed_at timestamptz,
  decided_by uuid references staff (id),
  decided_at timestamptz,
  found_at timestamptz not null,
  version integer not null default 1,
  unique (platform, ticket),
  check ((state = 'open') or action is not null or decided_by is null),
  check (decided_by is null or decided_by <> proposed_by)
);
create index recovery_items_found on recovery_items (found_at, id);
create index recovery_items_open on recovery_items (found_at, id) where state = 'open';
create index recovery_items_reference on recovery_items (reference);
