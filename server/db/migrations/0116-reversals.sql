-- The reversal of a debited withdrawal that is not paid: requested by one of finance, confirmed by another (ADR 116).
alter table withdrawals
  add column reversal_asked_by uuid references staff (id),
  add column reversal_asked_at timestamptz,
  add column reversed_by uuid references staff (id),
  add constraint withdrawals_reversal_by_two check (reversed_by is null or reversed_by <> reversal_asked_by);
