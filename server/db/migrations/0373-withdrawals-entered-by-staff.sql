-- Whether an item is a person's own to decide is asked of the few withdrawals that staff entered (last balances). Without
-- an index PostgreSQL read all withdrawals for it, at each call of the inbox and of the overview.
create index withdrawals_entered on withdrawals (bank_id) include (id) where entered_by is not null;
