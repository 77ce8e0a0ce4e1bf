-- Due times by kind of work item (ADR 303): section `sla` in place of `dueHours`, whose five times become those of the
-- kinds that they applied to. `dueHours` stays as it is for servers of the version before, which run until all have been
-- exchanged and cannot read the new form.
insert into settings (section, version, value, from_at, by_staff, reason)
select 'sla', s.version, jsonb_build_object(
    'times', (
      select jsonb_object_agg(k.kind, case k.times
          when 'other' then jsonb_build_object('number', ceil((s.value ->> 'other')::numeric / 24), 'unit', 'workingDays')
          else jsonb_build_object('number', coalesce((s.value ->> k.times)::numeric, 48), 'unit', 'hours')
        end)
      from (values ('document', 'documents'), ('client', 'clients'), ('enquiry', 'enquiries'), ('deposit', 'money'),
        ('bank_line', 'money'), ('withdrawal', 'money'), ('payout_batch', 'money'), ('payout_stop', 'money'),
        ('transfer', 'money'), ('correction', 'money'), ('firm_money', 'money'), ('difference', 'money'),
        ('recovery', 'money'), ('account', 'other'), ('leverage_request', 'other'), ('bank_details', 'other'),
        ('professional', 'other'), ('profile_change', 'other'), ('setting_change', 'other'), ('staff_change', 'other'),
        ('erasure', 'other'), ('factor_reset', 'other'), ('recovery_item', 'other')) k (kind, times)),
    'complaintDays', coalesce(s.value -> 'complaintDays', '56'),
    'holidays', coalesce(s.value -> 'holidays', '[]')), s.from_at, s.by_staff, s.reason
  from settings s where s.section = 'dueHours';
