-- Requests that were open at the moment that recovery goes back to: what the client did with them since is lost, so they
-- stay blocked until the client confirms them again, or staff reject them (mechanics section 13).
create table recovery_confirmations (
  recovery uuid not null references recovery (id),
  kind text not null,
  record uuid not null,
  client_id uuid not null references clients (id),
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (kind, record, recovery)
);
create index recovery_confirmations_client on recovery_confirmations (client_id) where confirmed_at is null;

-- Compliance and an administrator confirm staff, roles, suspensions, holds, flags and settings before recovery closes; two
-- people of finance say that the bank holds no order of ours that is not booked.
create table recovery_statements (
  recovery uuid not null references recovery (id),
  statement text not null check (statement in ('access-compliance', 'access-administrator', 'bank-first', 'bank-second')),
  staff_id uuid not null references staff (id),
  at timestamptz not null,
  primary key (recovery, statement)
);

-- A firm account without movement: its closing balance, typed by one person and confirmed by another.
create table recovery_balances (
  recovery uuid not null references recovery (id),
  bank_account text not null,
  closing_minor bigint not null,
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  closing_on date not null,
  typed_by uuid not null references staff (id),
  typed_at timestamptz not null,
  confirmed_by uuid references staff (id),
  confirmed_at timestamptz,
  primary key (recovery, bank_account),
  check (confirmed_by is null or confirmed_by <> typed_by)
);

-- Whether recovery is open follows from when it closed.
alter table recovery drop column state;
alter table recovery add column state text generated always as (case when closed_at is null then 'open' else 'closed' end) stored;
alter table recovery add constraint recovery_closed_whole
  check (closed_at is null or (accounts_open_at is not null and payouts_open_at is not null));
