-- A paid checkout that the database has lost: an item of the card provider, with the checkout's id as its ticket and the
-- reference that the provider was given as its comment. One checkout is one item for ever (ADR 145).
alter table recovery_items drop constraint recovery_items_platform_check;
alter table recovery_items add constraint recovery_items_platform_check check (platform in ('MT4', 'MT5', 'card'));
alter table recovery_items drop constraint recovery_items_kind_check;
alter table recovery_items add constraint recovery_items_kind_check
  check (kind in ('decision-lost', 'request-lost', 'mismatch', 'account-unknown', 'checkout-lost'));
alter table recovery_items add constraint recovery_items_checkout check ((platform = 'card') = (kind = 'checkout-lost'));
