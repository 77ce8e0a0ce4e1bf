-- When the platform last answered for an account although its balances were not stored: an operation of the account was
-- in progress, recovery was open, or the balance is being compared. Pages then name that cause instead of the platform.
alter table platform_figures add column answered_at timestamptz;
