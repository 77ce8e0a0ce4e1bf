-- When the client was told by mail and notice that a request waits for their confirmation: once.
alter table recovery_confirmations add column told_at timestamptz;
