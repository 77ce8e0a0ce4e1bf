-- What the roles were when a change of them was decided, and one open change for each person and each section.
alter table staff_changes add column from_roles text[];
create unique index staff_changes_open on staff_changes (staff_id) where state = 'pending';
create unique index setting_changes_open on setting_changes (section) where state = 'pending';
create index staff_changes_asked on staff_changes (asked_at desc, id desc);
create index setting_changes_asked on setting_changes (asked_at desc, id desc);
create index corrections_asked on corrections (asked_at desc, id desc);
create index differences_found on differences (found_at desc, id desc);
create index events_newest on events (at desc, id desc);
create index events_reference on events (reference) where reference is not null;
create index operations_parked on operations (created_at desc, id desc) where parked_at is not null;
create index work_items_closed on work_items (closed_at) where closed_at is not null;

-- When ledger and platform were compared, and what came of it.
create table reconciliations (
  id uuid primary key default uuidv7(),
  at timestamptz not null,
  accounts integer not null,
  unread integer not null,
  differences integer not null,
  by_staff uuid references staff (id)
);
create index reconciliations_at on reconciliations (at desc);
