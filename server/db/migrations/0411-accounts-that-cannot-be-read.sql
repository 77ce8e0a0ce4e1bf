-- Accounts of which the platform answers something that cannot be read (ADR 331): 'record': a field of the account itself;
-- 'deal': a balance operation without a readable comment, which may be any of ours. Nothing is sent to an account with
-- such a deal.
create table unreadable_accounts (
  account_id uuid not null references trading_accounts (id),
  matter text not null check (matter in ('record', 'deal')),
  odd jsonb not null,
  since timestamptz not null,
  tried_at timestamptz not null,
  primary key (account_id, matter)
);
-- The number of open positions is unknown while one of the platform's positions has no readable account.
alter table platform_figures alter column open_positions drop not null;
