-- What staff search clients by, beside names: numbers of accounts and of banks.
create index trading_accounts_login on trading_accounts (login) where login is not null;
create index bank_details_iban on bank_details (iban) where iban is not null;
create index operations_client_mail on operations (client_id, id desc) where kind = 'mail';
create index work_items_client on work_items (client_id) where closed_at is null;
