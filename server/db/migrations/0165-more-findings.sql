-- Two more findings of recovery for two people (ADR 165): the bank line of a wire that recovery adopted before a statement
-- showed it, and an account that exists at a platform alone.
alter table recovery_items drop constraint recovery_items_platform_check;
alter table recovery_items add constraint recovery_items_platform_check
  check (platform in ('MT4', 'MT5', 'card', 'bank'));
alter table recovery_items drop constraint recovery_items_kind_check;
alter table recovery_items add constraint recovery_items_kind_check
  check (kind in ('decision-lost', 'request-lost', 'mismatch', 'account-unknown', 'checkout-lost', 'line-missing', 'account-found'));
alter table recovery_items add constraint recovery_items_line check ((platform = 'bank') = (kind = 'line-missing'));
-- The amount of an account is its balance.
alter table recovery_items drop constraint recovery_items_amount_minor_check;
alter table recovery_items add constraint recovery_items_amount_minor_check
  check (amount_minor <> 0 or kind = 'account-found');
-- `keep`: the account stays disabled at the platform.
alter table recovery_items drop constraint recovery_items_action_check;
alter table recovery_items add constraint recovery_items_action_check
  check (action in ('adopt', 'reverse') or (action = 'keep' and kind = 'account-found'));
-- As the platform says it, for the record that a client is given.
alter table recovery_accounts add column leverage integer;
