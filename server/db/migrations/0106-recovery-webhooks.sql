-- What a provider told while recovery was open: checkouts to ask about, known to us or not.
create table recovery_webhooks (
  recovery uuid not null references recovery (id),
  provider text not null,
  provider_id text not null,
  received_at timestamptz not null,
  primary key (recovery, provider, provider_id)
);
revoke delete on recovery_webhooks from portal_app;
