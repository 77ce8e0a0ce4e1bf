-- How often what follows from an operation's answer could not be written: an error of ours, which a person has to see.
alter table operations add column settle_failures integer not null default 0;
create index operations_settle_failures on operations (id) where settle_failures > 0 and settled_at is null;
