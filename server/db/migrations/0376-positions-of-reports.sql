-- The margin used at a day's end, by its report or the first reading after it; null where it was not kept.
alter table account_days add column margin_minor bigint;

-- What was open at a month's end, by the full report of its last day. It replaces `month_end_positions` once `reported_at`
-- is set, in a table of its own: a server of the earlier version would list a second row of a position twice.
create table month_end_reported_positions (
  account_id uuid not null,
  month date not null,
  position bigint not null,
  price text not null,
  open_price text not null,
  swap_minor bigint not null,
  profit_minor bigint not null,
  primary key (account_id, month, position),
  foreign key (account_id, month) references month_ends (account_id, month)
);
revoke update, delete, truncate on month_end_reported_positions from portal_app;

alter table month_ends
  -- When the positions of the day's full report were stored; null without one.
  add column reported_at timestamptz,
  -- When the full report was last asked for.
  add column report_asked_at timestamptz;
create index month_ends_unreported on month_ends (account_id) where edition = 0 and reported_at is null;
