-- The register of complaints by outcome.
create index complaints_by_outcome on enquiries (outcome, asked_at, id) where outcome is not null;
