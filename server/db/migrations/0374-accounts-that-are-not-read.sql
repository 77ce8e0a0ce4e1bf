-- An account whose trades could not be read or compared: when it was tried last, and the platform's answer. It is tried
-- again later, and does not stop the accounts after it.
alter table account_histories add column failed_at timestamptz, add column problem text,
  add check ((failed_at is null) = (problem is null));
create index account_histories_failed on account_histories (failed_at) where failed_at is not null;
