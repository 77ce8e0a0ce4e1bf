-- A card payment that differs from its deposit (in_review), and one that was received but not credited (uncredited) until
-- it is credited or returned to the payer (refunding, refunded) (ADR 346, ADR 347).
alter table deposits drop constraint deposits_state_check, add constraint deposits_state_check
  check (state in ('pending', 'in_review', 'processing', 'uncredited', 'refunding', 'approved', 'refunded', 'rejected',
    'cancelled'));
-- Deposits that are not final, and the paid checkouts whose payment may still change.
drop index deposits_waiting;
create index deposits_waiting on deposits (requested_at, id)
  where state in ('pending', 'in_review', 'processing', 'uncredited', 'refunding');
drop index deposits_paid_checkouts;
create index deposits_paid_checkouts on deposits (asked_at)
  where state in ('in_review', 'uncredited', 'refunding', 'approved', 'refunded', 'rejected') and provider_id is not null;
