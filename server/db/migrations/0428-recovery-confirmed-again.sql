-- A further sign of loss makes confirmations, balances and clearings given before it void (requirements 24.207).
alter table recovery add column widened_at timestamptz;
grant delete on recovery_cleared to portal_app;

-- Requests that staff entered are not confirmed by the client (requirements 24.212).
delete from recovery_confirmations c where confirmed_at is null and (
  exists (select from withdrawals w where w.entered_by is not null
    and (c.kind, c.record) in (('withdrawal', w.id), ('bank_details', w.bank_id)))
  or exists (select from profile_changes p where c.kind = 'profile_change' and p.id = c.record and p.asked_by is not null));
