-- All payments of a deposit's checkout that the card provider has named: a payer may try more than once, and each attempt
-- is a payment with its own id (ADR 339). deposits.payment_id is the one whose money was taken.
create table deposit_payments (
  payment_id text not null,
  deposit_id uuid not null references deposits (id),
  seen_at timestamptz not null,
  primary key (payment_id, deposit_id)
);
create index deposit_payments_deposit on deposit_payments (deposit_id);
revoke update, delete on deposit_payments from portal_app;
