-- The last balance of a suspended, closed or rejected client: finance enters the payout and its bank account with proof,
-- compliance approves both (product-decisions section 12). Null for what clients request.
alter table withdrawals
  add column entered_by uuid references staff (id),
  add column proof_file uuid references files (id) on delete set null,
  add constraint withdrawals_entered_approved_by_two check (entered_by is null or entered_by is distinct from approved_by),
  add constraint withdrawals_entered_confirmed_by_two check (entered_by is null or entered_by is distinct from confirmed_by);
create index withdrawals_proof on withdrawals (proof_file) where proof_file is not null;
