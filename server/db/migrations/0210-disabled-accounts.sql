-- What the platform said last: an account that it has disabled is closed to its client (requirements 24.11).
alter table platform_figures add column enabled boolean not null default true;
