-- A second deal under one reference is a difference (ADR 101), never an item of recovery.
alter table recovery_items drop constraint recovery_items_kind_check;
alter table recovery_items add constraint recovery_items_kind_check
  check (kind in ('decision-lost', 'request-lost', 'mismatch', 'account-unknown'));
