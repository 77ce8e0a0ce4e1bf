-- What a statement says that the account held before and after, and what the books said at its end.
alter table statement_imports
  add column currency text check (currency in ('EUR', 'GBP', 'USD')),
  add column opening_minor bigint,
  add column closing_minor bigint,
  add column closing_on date,
  add column booked_minor bigint;
create index statement_imports_closing on statement_imports (bank_account, closing_on desc, id desc)
  where closing_minor is not null;
create index firm_money_moves_amount on firm_money_moves (amount_minor desc, id desc);
