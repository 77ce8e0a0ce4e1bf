/**
 * Refunds and chargebacks of a deposit, by kind. Neither is a negative deposit (requirements 8.21). A bank transfer is
 * refunded by corrections that name it; a card payment's refunds are the provider's, whose corrections follow.
 */

const byCorrection = ` + (select coalesce(-sum(k.amount_minor), 0) from corrections k
    where k.deposit_id = d.id and k.state = 'approved' and d.type = 'wire')`

/**
 * Returns the sum of a kind of a deposit `d`, less what was reversed, in minor units; 0 if nothing was returned. An SQL
 * expression
 * without parameters.
 */
function returnedMinorSql(kind: 'refunded' | 'charged_back'): string {
  return `(case when d.refunded_minor = 0 then 0 else (select coalesce(-sum(p.minor), 0) from entries e
    join postings p on p.entry_id = e.id
    join ledger_accounts l on l.id = p.ledger_account and l.kind = 'provider'
    where e.subject = 'deposit' and e.record = d.id and e.kind = '${kind}')${kind === 'refunded' ? byCorrection : ''} end)::bigint`
}

export const refundedOf = returnedMinorSql('refunded')
export const chargedBackOf = returnedMinorSql('charged_back')
