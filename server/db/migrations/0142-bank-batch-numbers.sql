-- The number of the last payout batch that the bank shows, as its releaser read it there: asked at the first release after
-- every start and every change of timeline (mechanics section 13, sign f). 0: the bank shows none.
create table bank_batch_numbers (
  id uuid primary key default uuidv7(),
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  number bigint not null check (number >= 0),
  said_by uuid not null references staff (id),
  said_at timestamptz not null
);
create index bank_batch_numbers_said on bank_batch_numbers (currency, said_at desc);
revoke update, delete on bank_batch_numbers from portal_app;
-- Numbers that batches were given in the lost time are not given again.
grant select, update on sequence payout_batches_number_seq to portal_app;
