-- Figures count a withdrawal on the day of its debit at the platform (requirements 24.2): what the job has written before
-- is written again.
drop index withdrawals_paid;
create index withdrawals_debited on withdrawals (approved_at) where approved_at is not null;
delete from daily_figures;
