-- Since when the platform answers that it has no such account; null while it has it. A missing account is closed to its
-- client like a disabled one, and open again once it is found.
alter table trading_accounts add column missing_since timestamptz;
