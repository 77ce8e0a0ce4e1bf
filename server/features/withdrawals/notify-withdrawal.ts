/** Notifies a client about a withdrawal. */
import { portalPaths } from '#contract/portal-paths.ts'
import type { AuditContext } from '../../db/events.ts'
import type { Transaction } from '../../db/sql.ts'
import type { MailKind } from '../../mail/template-registry.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { lastFour } from '../../i18n/format.ts'
import type { Withdrawal } from './queries.ts'

type WithdrawalNotification = Extract<MailKind, `withdrawal-${string}`>

/** Writes notice and email in the caller's transaction; `more` are the additional values of this message. */
export async function notifyWithdrawal(
  tx: Transaction,
  withdrawal: Withdrawal,
  kind: WithdrawalNotification,
  auditContext: AuditContext,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { clientId, id, bank } = withdrawal
  await notifyClient(tx, auditContext.now, {
    kind,
    client: { id: clientId, email: withdrawal.clientEmail, language: withdrawal.clientLanguage },
    facts: {
      minor: String(withdrawal.amountMinor),
      arrivesMinor: String(withdrawal.amountMinor - withdrawal.feeMinor),
      currency: withdrawal.currency,
      reference: withdrawal.reference,
      platform: withdrawal.platform,
      tradingAccount: withdrawal.login,
      account: lastFour(bank.iban ?? bank.accountNumber),
      reason: withdrawal.comment,
      ...more,
    },
    link: portalPaths.history('withdrawals', id),
    subject: 'withdrawal',
    record: id,
  })
}
