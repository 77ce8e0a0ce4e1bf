-- The firm's account that pays a batch, as it was at the release (requirements 24.210); null for batches that an earlier
-- version released.
alter table payout_batches add column bank_account text;
