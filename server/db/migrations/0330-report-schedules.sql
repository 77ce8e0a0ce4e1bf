-- Reports that a person has scheduled by mail (requirements 24.10, 24.56). `next_from` is the first day of the next period
-- that is mailed: it moves on in the transaction that writes the mail, so that each period is mailed once.
create table report_schedules (
  id uuid primary key default uuidv7(),
  staff_id uuid not null references staff (id),
  report text not null,
  frequency text not null check (frequency in ('weekly', 'monthly')),
  step text not null check (step in ('day', 'week', 'month')),
  as_table boolean not null,
  next_from date not null,
  -- Since when the person may not read the report.
  paused_at timestamptz,
  created_at timestamptz not null,
  unique (staff_id, report, frequency)
);
create index report_schedules_next on report_schedules (next_from);
