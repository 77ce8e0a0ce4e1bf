-- Bank accounts are compared by one number in all notations (0429), so nothing reads these indexes any more.
drop index bank_lines_payer;
drop index bank_details_number;
