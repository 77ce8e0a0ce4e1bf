-- After a restore an operation that seems not sent may have been: it is asked about before anything is sent (fault K25).
alter table operations add column ask_first boolean not null default false;
