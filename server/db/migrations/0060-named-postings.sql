-- An entry whose accounts are named by what they are, found or made on the way: one statement a posting in place of one
-- for each account before it (decision 61).
create function post_named_entry(
  a_ref text, a_kind text, a_subject text, a_record uuid, a_at timestamptz,
  a_account_kinds text[], a_currencies text[], a_trading_accounts uuid[], a_names text[], a_minors bigint[]
) returns bigint language plpgsql as $$
declare found_ids bigint[];
begin
  select array_agg(ledger_account(p.kind, p.currency, p.trading_account, p.name) order by p.place) into found_ids
    from unnest(a_account_kinds, a_currencies, a_trading_accounts, a_names)
      with ordinality p (kind, currency, trading_account, name, place);
  return post_entry(a_ref, a_kind, a_subject, a_record, a_at, found_ids, a_minors);
end $$;
