-- The list of enquiries begins with those that still wait for the firm: answered questions stay answered for years.
create index enquiries_waiting on enquiries (asked_at, id) where state = 'open' or (complaint and state <> 'closed');
