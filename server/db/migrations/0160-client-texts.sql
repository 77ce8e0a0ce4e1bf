-- What a client record keeps as its reason is what the client reads. Of suspensions and reactivations it held staff's own
-- words, which the client could download; the event keeps those.
update clients set reason = null where state in ('approved', 'suspended') and reason is not null;

-- The audit log is searched by what clients read, too.
create index event_details_client_reason on event_details (event_id) where details ->> 'clientReason' is not null;
