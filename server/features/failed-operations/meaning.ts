/** The effect of a failed operation on the client, as a code for the app and the doctor. */
import type { FailedRow } from './queries.ts'

const meaningsByLeg: Readonly<Record<string, string>> = {
  'withdrawal-debit': 'withdrawal-waits',
  'withdrawal-return': 'return-not-credited',
  'withdrawal-reversal': 'return-not-credited',
  'deposit-credit': 'deposit-not-credited',
  'transfer-withdraw': 'transfer-waits',
  'transfer-deposit': 'transfer-under-way',
  'transfer-compensate': 'transfer-under-way',
  'demo-balance': 'demo-without-balance',
  correction: 'correction-waits',
}

const meaningsByKind: Readonly<Record<string, string>> = {
  'open-account': 'account-waits',
  'set-leverage': 'leverage-waits',
  'set-status': 'status-waits',
  'card-refund': 'refund-waits',
  'deposit-refund': 'refund-waits',
  'draw-statement': 'statement-waits',
  'read-trades': 'account-incomplete',
  'read-account': 'account-unread',
  'compare-account': 'account-held',
  'password-reset': 'mail-not-sent',
  mail: 'mail-not-sent',
}

export function meaningOf(failed: Pick<FailedRow, 'source' | 'kind' | 'leg'>): string {
  if (failed.source === 'job') return 'nothing-yet'
  return meaningsByLeg[failed.leg ?? ''] ?? meaningsByKind[failed.kind] ?? 'waits'
}
