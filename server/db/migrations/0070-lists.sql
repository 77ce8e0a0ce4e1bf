-- Every sort that a list of the back office offers goes by one of these, and every search by another.
-- What waits is little among all that was decided: it has an index of its own.
create index deposits_amount on deposits (amount_minor, id);
create index deposits_waiting on deposits (requested_at, id) where state in ('pending', 'processing');
create index withdrawals_requested on withdrawals (requested_at, id);
create index withdrawals_amount on withdrawals (amount_minor, id);
create index withdrawals_waiting on withdrawals (requested_at, id)
  where state in ('pending', 'second_approval', 'processing', 'approved');
create index withdrawals_file on withdrawals (payout_file) where payout_file is not null;
create index transfers_amount on transfers (amount_minor, id);
create index transfers_waiting on transfers (requested_at, id) where state in ('pending', 'processing');
create index transfers_source on transfers (source_account);
create index transfers_destination on transfers (destination_account);
create index trading_accounts_waiting on trading_accounts (requested_at, id) where state in ('pending', 'processing');
create index leverage_requests_waiting on leverage_requests (requested_at, id) where state in ('pending', 'processing');
create index leverage_requests_client on leverage_requests (client_id);
create index leverage_requests_account on leverage_requests (account_id);
create index bank_details_added on bank_details (added_at, id);
create index bank_details_waiting on bank_details (added_at, id) where state = 'pending';
create index bank_details_name on bank_details using gin (lower(bank_name) gin_trgm_ops);
create index professional_applications_submitted on professional_applications (submitted_at, id);
create index professional_applications_client on professional_applications (client_id);
create index profile_changes_requested on profile_changes (requested_at, id);
create index profile_changes_client on profile_changes (client_id);
create index bank_lines_booked on bank_lines (booked_on, id);
create index bank_lines_amount on bank_lines (amount_minor, id);
create index bank_lines_words on bank_lines using gin (lower(payer || ' ' || remittance || ' ' || bank_id) gin_trgm_ops);
create index corrections_amount on corrections (amount_minor, id);
create index clients_sorted_name on clients (lower(surname || ' ' || name), id);
create index clients_registered on clients ((coalesce(registered_at, '0001-01-01 00:00:00Z')), id);
create index clients_sent_documents on clients ((coalesce(documents_sent_at, created_at)), id);
create index documents_state on documents (state, client_id);
create index events_reason on events using gin (lower(reason) gin_trgm_ops) where reason is not null;
