-- A line of the bank looks for the returned payout that it may bring back (server/ledger/returned-payouts.ts).
create index withdrawals_returned on withdrawals (returned_at) where state = 'returned';
