-- The classes of expired data that a run of the deletion could not delete completely: the run is repeated.
alter table retention_runs add column failed text[] not null default '{}';
