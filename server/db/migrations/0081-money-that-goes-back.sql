-- Whether a difference was found before, also after somebody explained it; and the paid checkouts of which a part may
-- still go back, the one asked about longest ago first.
create index differences_fingerprint on differences (fingerprint);
create index deposits_paid_checkouts on deposits (asked_at) where state = 'approved' and provider_id is not null;
