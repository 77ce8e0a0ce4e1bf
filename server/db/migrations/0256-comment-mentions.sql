-- Who is named in a comment on an item. The comment itself is the details of its event, which erasure empties.
create table comment_mentions (
  event_id bigint not null references events (id),
  staff_id uuid not null references staff (id),
  item uuid not null references work_items (id),
  at timestamptz not null,
  seen_at timestamptz,
  primary key (event_id, staff_id)
);
create index comment_mentions_unseen on comment_mentions (staff_id, item) where seen_at is null;
