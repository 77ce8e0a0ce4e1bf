-- Receipts that staff have not decided on: the payments of expected bank transfers and of returned payouts are searched
-- among them.
create index bank_lines_undecided on bank_lines (currency)
  where amount_minor > 0 and state in ('second_approval', 'unmatched');
