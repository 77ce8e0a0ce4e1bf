-- A British bank account has one number in both of its notations: sort code and account number, with which its IBAN ends
-- (requirements 24.209). Equals `britishNumber` in rules/bank-details.ts.
create function british_number(account text) returns text
  language sql immutable parallel safe
  return coalesce(substring(account from '^GB[0-9]{2}[A-Z]{4}([0-9]{14})$'), replace(account, '-', ''));

create index bank_details_british_number on bank_details (british_number(coalesce(iban, sort_code || account_number)));
create index bank_lines_payer_number on bank_lines (british_number(payer_account)) where payer_account <> '';

-- How far servers that compare both notations have followed the audit log; null until the first has written the digests
-- of accounts with a British IBAN again.
alter table link_digests_cursor add column followed bigint;
