-- The margin used at a day's end, by its report or the first reading after it; null where it was not kept.
alter table account_days add column margin_minor bigint;

-- Positions of a month's end are kept by each source. Those of the report are shown once `reported_at` is set; the
-- reading's stay beside them.
alter table month_end_positions add column source text not null default 'reading' check (source in ('report', 'reading'));
alter table month_end_positions drop constraint month_end_positions_pkey;
alter table month_end_positions add primary key (account_id, month, position, source);

alter table month_ends
  -- When the positions of the day's full report were stored; null without one.
  add column reported_at timestamptz,
  -- When the full report was last asked for.
  add column report_asked_at timestamptz;
create index month_ends_unreported on month_ends (account_id) where edition = 0 and reported_at is null;
