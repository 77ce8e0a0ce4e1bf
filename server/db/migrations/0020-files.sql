-- When a file was last looked at by the scanner; a quarantined one is looked at again.
alter table files add column scanned_at timestamptz;
create index files_quarantined on files (scanned_at nulls first) where state = 'quarantined';
create index files_unused on files (created_at) where used_at is null;
create index documents_files on documents (front_file);
create index documents_back_files on documents (back_file);
