-- The deposit that a correction returns to its payer. Its deal then counts as returned, no longer as another booking
-- (requirements 21.6).
alter table corrections add column deposit_id uuid references deposits (id);
create index corrections_deposit on corrections (deposit_id) where deposit_id is not null;
