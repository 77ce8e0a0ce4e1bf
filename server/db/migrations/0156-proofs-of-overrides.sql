-- The file that proves an override, such as a letter about a third-party payer. Staff uploaded it: the client's own
-- lists, downloads and quota leave it out.
alter table files add column staff_id uuid references staff (id);
alter table check_overrides add column proof_file uuid references files (id) on delete set null;
create index check_overrides_proof on check_overrides (proof_file) where proof_file is not null;
