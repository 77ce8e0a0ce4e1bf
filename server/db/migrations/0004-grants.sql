-- The server's own role writes rows; it alters no table and changes no posting, event or setting (mechanics section 11).
do $$ begin
  if not exists (select from pg_roles where rolname = 'portal_app') then create role portal_app nologin; end if;
end $$;
grant usage on schema public to portal_app;
grant select, insert, update, delete on all tables in schema public to portal_app;
grant usage on all sequences in schema public to portal_app;
revoke update, delete, truncate on postings, entries, events, event_seals, settings from portal_app;
revoke insert on postings, entries from portal_app;
revoke update, delete on ledger_accounts from portal_app;
alter default privileges in schema public grant select, insert, update, delete on tables to portal_app;
alter default privileges in schema public grant usage on sequences to portal_app;
