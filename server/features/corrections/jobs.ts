/** Settles corrections once the platform has responded. */
import { portalPaths } from '#contract/portal-paths.ts'
import { correctionMachine } from '#rules/corrections.ts'
import { money, negate } from '#rules/money.ts'
import type { CorrectionId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { ledgerEntryOf, type BalanceLegs } from '../../jobs/balance.ts'
import { recordOf } from '../../jobs/operation.ts'
import { post } from '../../ledger/post.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { platformErrorComment } from '../../i18n/format.ts'
import { addReturnedWire } from '../deposits/queries.ts'
import { correctionById } from './queries.ts'

export const legs: BalanceLegs = {
  correction: async (tx, operation, outcome, auditContext) => {
    const correction = await recordOf(operation, (id: CorrectionId) => correctionById(tx, id))
    const { id, clientId, accountId, currency, amountMinor, depositId } = correction
    if (!('done' in outcome)) {
      const { reason, code } = outcome.refused
      await applyTransition(tx, correctionMachine, auditContext, correction, 'refused', {
        reason: code,
        set: { decision_reason: platformErrorComment(reason) },
      })
      return
    }
    await applyTransition(tx, correctionMachine, auditContext, correction, 'applied')
    await post(tx, auditContext.now, ledgerEntryOf(operation), [
      { account: { kind: 'corrections', currency }, minor: amountMinor },
      { account: { kind: 'client', currency, tradingAccount: accountId }, minor: -amountMinor },
    ])
    const amount = money(amountMinor, currency)
    if (depositId !== null) await addReturnedWire(tx, depositId, negate(amount), auditContext)
    await notifyClient(tx, auditContext.now, {
      kind: 'correction-booked',
      client: { id: clientId, email: correction.clientEmail, language: correction.clientLanguage },
      facts: { minor: String(amount.minor), currency, account: correction.login },
      link: portalPaths.tradingAccounts,
      subject: correctionMachine.name,
      record: id,
    })
  },
}
