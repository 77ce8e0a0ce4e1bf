-- Another e-mail address of a client, which staff ask for: it counts once a link in a mail to it is opened.
alter table profile_changes
  add column asked_by uuid references staff (id),
  add column asked_reason text,
  drop constraint profile_changes_field_check,
  drop constraint profile_changes_state_check,
  add constraint profile_changes_field_check
    check (field in ('name', 'surname', 'birthDate', 'nationality', 'country', 'email')),
  add constraint profile_changes_state_check
    check (state in ('pending', 'confirming', 'approved', 'rejected', 'replaced')),
  add constraint profile_changes_asker_check check ((field = 'email') = (asked_by is not null));
drop index profile_changes_open;
create unique index profile_changes_open on profile_changes (client_id, field) where state in ('pending', 'confirming');
