-- A typed line that was refused as never arrived holds its reference no longer: it may be typed again, or come in a file.
alter table bank_lines drop constraint bank_lines_bank_account_bank_id_key;
create unique index bank_lines_reference on bank_lines (bank_account, bank_id) where state <> 'rejected';
-- Whose deposits came from a payer's account before; and which deposits the card provider has taken back.
create index bank_lines_payer on bank_lines (payer_account) where payer_account <> '';
create index deposits_refunded on deposits (id) where refunded_minor > 0;
