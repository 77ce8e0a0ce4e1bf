-- The open positions and pending orders of watched accounts as they were last read, as the portal sends them (requirements
-- 24.12): one reading for all who look. They go with the row, when the account is no longer watched.
alter table watched_accounts add column open_trades json, add column open_at timestamptz;
