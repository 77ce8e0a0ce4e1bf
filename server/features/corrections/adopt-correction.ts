/** How a correction comes to the state that its deal at the platform proves (requirements 20.13). */
import { correctionMachine } from '#rules/corrections.ts'
import { decimalOf } from '#rules/money.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import type { RequestAdoption } from '../../recovery/adoption.ts'
import { correctionById } from './queries.ts'

const kind = correctionMachine.name

export const correctionAdoption: RequestAdoption = {
  find: (tx, shown) =>
    row(
      tx,
      sql`select k.id, a.client_id as "clientId" from corrections k join trading_accounts a on a.id = k.account_id
          where k.reference = ${shown} for update of k`,
    ),

  async fits(tx, id, { platform, login, amount }) {
    const correction = await correctionById(tx, id)
    if (!correction || correction.platform !== platform || correction.login !== login) return false
    return amount.currency === correction.currency && amount.minor === correction.amountMinor
  },

  async bringTo(tx, id, _deal, auditContext) {
    const correction = await correctionById(tx, id)
    if (!correction) throw new Error(`no correction ${id}`)
    if (correction.state === 'processing') return
    await applyTransition(tx, correctionMachine, auditContext, {
      id,
      action: 'adopt',
      clientId: correction.clientId,
      workItem: null,
    })
  },

  async end(tx, id, auditContext) {
    const correction = await correctionById(tx, id)
    if (correction?.state !== 'pending') return
    const set = { decided_at: auditContext.now }
    await applyTransition(tx, correctionMachine, auditContext, {
      id,
      action: 'reject',
      clientId: correction.clientId,
      set,
      workItem: null,
    })
  },

  async writeAnew(tx, { deal, account, proposal: { proposedBy, confirmedBy } }, auditContext) {
    const written = await row<{ id: string }>(
      tx,
      sql`insert into corrections (account_id, amount_minor, currency, reason, asked_by, asked_at, decided_by, decided_at, reference)
          values (${account.id}, ${deal.amount.minor}, ${deal.amount.currency}, ${`Recovered from deal ${deal.ticket}`},
            ${proposedBy}, ${deal.at}, ${confirmedBy}, ${auditContext.now}, ${deal.shown}) returning id`,
    )
    if (!written) throw new Error('a correction was not written')
    const details = {
      amount: decimalOf(deal.amount.minor),
      currency: deal.amount.currency,
      account: deal.login,
      reference: deal.shown,
    }
    await recordEvent(tx, auditContext, {
      kind,
      action: 'recover',
      record: written.id,
      clientId: account.clientId,
      to: correctionMachine.first,
      details,
    })
    return written.id
  },
}
