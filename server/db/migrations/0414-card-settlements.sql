-- A bank transaction that settles what the card provider holds: proposed by one person with the provider's charges,
-- confirmed by another (requirements 24.151, ADR 344).
alter table bank_lines drop constraint bank_lines_state_check, add constraint bank_lines_state_check
  check (state in ('second_approval', 'unmatched', 'settlement_proposed', 'matched', 'sent_back', 'own_money', 'came_back',
    'card_settlement', 'rejected'));
alter table bank_lines add column settlement_fee_minor bigint check (settlement_fee_minor >= 0);
alter table bank_lines add column settlement_asked_by uuid references staff (id);
alter table bank_lines add column settlement_confirmed_by uuid references staff (id);
alter table bank_lines add constraint bank_lines_settlement check (
  (settlement_fee_minor is not null and settlement_asked_by is not null) = (state in ('settlement_proposed', 'card_settlement'))
  and (settlement_confirmed_by is not null) = (state = 'card_settlement')
  and (settlement_confirmed_by is null or settlement_confirmed_by <> settlement_asked_by));
