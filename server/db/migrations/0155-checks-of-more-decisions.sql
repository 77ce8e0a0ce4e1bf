-- Who entered the account holder's name from the bank statement (nobody overrides a block on what he or she entered),
-- and what finds the same phone number or device at another client.
alter table bank_details add column holder_by uuid references staff (id);
create index clients_phone on clients (mobile_phone) where mobile_phone is not null;
create index sessions_device on sessions (address, device) where client_id is not null and device <> '' and address <> '';
create index bank_details_number on bank_details (sort_code, account_number) where account_number is not null;
