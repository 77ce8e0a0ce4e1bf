-- A payout that the bank returned is in the books once: its line is tied to the withdrawal that came back.
alter table bank_lines add column withdrawal_id uuid unique references withdrawals (id);
alter table bank_lines drop constraint bank_lines_state_check;
alter table bank_lines add constraint bank_lines_state_check
  check (state in ('second_approval', 'unmatched', 'matched', 'sent_back', 'own_money', 'came_back', 'rejected'));
alter table bank_lines add constraint bank_lines_withdrawal
  check (withdrawal_id is null or state = 'came_back');
