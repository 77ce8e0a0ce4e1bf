-- A key is known to every server before it is used: from this moment on it seals; null stands for the first ones.
alter table keys add column current_from timestamptz;
-- When nothing was found any more that hangs on a replaced key: what was sealed with it has been sealed anew.
alter table keys add column emptied_at timestamptz;

create function keys_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('keys', '');
  return null;
end $$;
create trigger keys_changed after insert or update or delete on keys for each statement execute function keys_changed();

-- A letter computes its one-time id again when it is sent: under the key that the link was made with.
alter table one_time_links add column kid text references keys (kid) on delete set null;
update one_time_links set kid = (select kid from keys where purpose = 'link' order by retired_at nulls first, created_at desc limit 1);
create index one_time_links_kid on one_time_links (kid);
create index files_kid on files (kid, id);
