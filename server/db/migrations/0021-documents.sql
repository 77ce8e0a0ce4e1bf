-- The machine readable zone as a clerk typed it from the picture.
alter table documents add column mrz text[];
create index documents_expiring on documents (expiry_date) where state = 'approved';
