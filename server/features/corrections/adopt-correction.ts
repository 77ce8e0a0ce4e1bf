/** Brings a correction to the state that its deal on the platform proves (requirements 20.13). */
import { correctionMachine } from '#rules/corrections.ts'
import type { CorrectionId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import { row } from '../../db/sql.ts'
import { hasEnded, recoveredDetails, type FoundRequest, type RequestAdoption } from '../../recovery/adoption.ts'
import { correctionById } from './queries.ts'

export const correctionAdoption: RequestAdoption<CorrectionId> = {
  find: (tx, shown) =>
    row<FoundRequest<CorrectionId>>(
      tx,
    )`select k.id, a.client_id as "clientId" from corrections k join trading_accounts a on a.id = k.account_id
        where k.reference = ${shown} for update of k`,

  async fits(tx, id, { platform, login, amount }) {
    const correction = await correctionById(tx, id)
    if (!correction || correction.platform !== platform || correction.login !== login) return false
    return amount.currency === correction.currency && amount.minor === correction.amountMinor
  },

  async bringTo(tx, id, _deal, auditContext) {
    const correction = await correctionById(tx, id)
    if (!correction) throw new Error(`correction ${id} not found`)
    if (correction.state === 'processing') return
    await applyTransition(tx, correctionMachine, auditContext, correction, 'adopt', { workItem: null })
  },

  async end(tx, id, auditContext) {
    const correction = await correctionById(tx, id)
    if (correction?.state !== 'pending') return hasEnded(correction)
    const set = { decided_at: auditContext.now }
    await applyTransition(tx, correctionMachine, auditContext, correction, 'reject', { set, workItem: null })
    return true
  },

  async recreate(tx, { deal, account, proposal: { proposedBy, confirmedBy } }, auditContext) {
    const written = await row<{ id: CorrectionId }>(tx)`
      insert into corrections (account_id, amount_minor, currency, reason, asked_by, asked_at, decided_by, decided_at, reference)
        values (${account.id}, ${deal.amount.minor}, ${deal.amount.currency}, ${`Recovered from deal ${deal.ticket}`},
          ${proposedBy}, ${deal.at}, ${confirmedBy}, ${auditContext.now}, ${deal.shown}) returning id`
    if (!written) throw new Error('the correction was not inserted')
    const details = recoveredDetails(deal, deal.amount)
    const of = { id: written.id, clientId: account.clientId }
    await recordCreation(tx, correctionMachine, auditContext, of, 'recover', { details })
    return written.id
  },
}
