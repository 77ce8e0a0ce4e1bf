-- Recovery: when platform, provider or bank know more than this database (docs/operations.md, Restore). Every server
-- reads the open row in the transaction that would move money. Each channel of money opens by itself.
create table recovery (
  id uuid primary key default uuidv7(),
  -- From when on the world may know what this database does not.
  since timestamptz not null,
  sign text not null
    check (sign in ('restored', 'other-database', 'unknown-reference', 'waiting-reference', 'lost-event', 'batch')),
  state text not null default 'open' check (state in ('open', 'closed')),
  opened_at timestamptz not null,
  -- Trading accounts and the card provider; empty while nothing is sent there.
  accounts_open_at timestamptz,
  -- The bank: payouts, deposits sent back, the firm's own money.
  payouts_open_at timestamptz,
  closed_at timestamptz,
  check ((state = 'closed') = (closed_at is not null)),
  check (state = 'open' or (accounts_open_at is not null and payouts_open_at is not null))
);
create unique index recovery_open on recovery ((true)) where closed_at is null;

-- Requests of which every leg and generation was asked for, and none was found: they alone may be rejected or cancelled.
create table recovery_cleared (
  recovery uuid not null references recovery (id),
  kind text not null,
  record uuid not null,
  cleared_at timestamptz not null,
  primary key (recovery, kind, record)
);
revoke delete on recovery, recovery_cleared from portal_app;
-- Numbers that clients were given in the lost time are not given again.
grant select, update on sequence client_numbers to portal_app;
