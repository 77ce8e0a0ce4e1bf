-- A further sign of loss makes confirmations, balances and clearings given before it void (requirements 24.207).
alter table recovery add column widened_at timestamptz;
grant delete on recovery_cleared to portal_app;
