-- The events that the card provider told and that were followed: the same one again does nothing. Kept for 30 days.
create table card_webhooks (
  event_id text primary key,
  received_at timestamptz not null
);
create index card_webhooks_received_at on card_webhooks (received_at);
