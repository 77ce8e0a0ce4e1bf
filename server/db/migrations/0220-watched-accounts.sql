-- Accounts whose figures somebody looks at, until when, and when the platform was last asked for them (requirements 24.12).
-- Unlogged: what a crash empties is there again with the next look of each page.
create unlogged table watched_accounts (
  account_id uuid primary key references trading_accounts (id),
  platform text not null check (platform in ('MT4', 'MT5')),
  watched_until timestamptz not null,
  looked_at timestamptz
);
create index watched_accounts_platform on watched_accounts (platform, looked_at);
