-- A client's history by time: each client's rows come in rising order, so that pages of a rising index fill up, where those
-- of a falling one were split into halves.
drop index deposits_client;
create index deposits_client on deposits (client_id, requested_at, id);
drop index withdrawals_client;
create index withdrawals_client on withdrawals (client_id, requested_at, id);
drop index transfers_client;
create index transfers_client on transfers (client_id, requested_at, id);
-- By amount, and by what is rare: nearly all rows end in one state, which a page by time meets soon enough.
create index deposits_client_amount on deposits (client_id, amount_minor, id);
create index deposits_client_rare on deposits (client_id, state, requested_at, id) where state <> 'approved';
create index withdrawals_client_amount on withdrawals (client_id, amount_minor, id);
create index withdrawals_client_rare on withdrawals (client_id, state, requested_at, id) where state <> 'paid';
create index transfers_client_amount on transfers (client_id, amount_minor, id);
create index transfers_client_rare on transfers (client_id, state, requested_at, id) where state <> 'approved';
