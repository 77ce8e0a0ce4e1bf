-- How many clients compliance reviews, and for what, counted for each day (ADR 312). Earlier days stay as they were
-- counted. The numbers of now are read by indexes: `documents_expiring`, and these.
alter table daily_figures drop constraint daily_figures_figure_check;
alter table daily_figures add constraint daily_figures_figure_check check (figure in ('written', 'deposits', 'refunds',
  'withdrawals', 'returned', 'decided', 'overdue', 'began', 'confirmed', 'completed', 'documents', 'approved', 'funded',
  'documentsExpiring', 'sourceOfWealth', 'paymentsOnHold'));
create index clients_wealth_asked on clients (id) where source_of_wealth_asked_at is not null;
