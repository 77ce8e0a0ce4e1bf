-- The data with which an account is opened, encrypted when it is first sent, so that each repeat has the same body
-- (requirements 24.148). Deleted with the platform's response.
alter table trading_accounts add column opening_data bytea;
