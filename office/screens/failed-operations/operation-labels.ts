/** What could not be done, what it means for the client, and what was tried, in the reader's language. */
import { useLingui } from '@lingui/react/macro'
import { mailLabel } from '#contract/office/mail-kinds.ts'
import type { Language } from '#rules/choices.ts'
import { plainWords } from '../../records/work-item-labels.ts'

export interface OperationLabels {
  kind: (kind: string) => string
  meaning: (meaning: string) => string
  state: (state: string) => string
  tried: (what: string) => string
}

export function useOperationLabels(): OperationLabels {
  const { t, i18n } = useLingui()
  const kinds: Readonly<Record<string, string>> = {
    'withdrawal-debit': t`Take a withdrawal from the account`,
    'withdrawal-reversal': t`Reverse a withdrawal that is not paid`,
    'withdrawal-return': t`Put a returned withdrawal back`,
    'deposit-credit': t`Credit a deposit`,
    'transfer-withdraw': t`Take a transfer from the account`,
    'transfer-deposit': t`Credit a transfer`,
    'transfer-compensate': t`Put a transfer back`,
    'demo-balance': t`Give a demo account its balance`,
    correction: t`Book a correction`,
    'open-account': t`Open a trading account`,
    'set-leverage': t`Change the leverage`,
    'set-status': t`Change the client status of an account`,
    'card-refund': t`Refund a card payment`,
    'password-reset': t`Mail for a new password`,
    mail: t`Mail`,
    operation: t`Operation`,
  }
  const meanings: Readonly<Record<string, string>> = {
    'withdrawal-waits': t`The withdrawal waits; the money is set aside and nothing has left the account.`,
    'return-not-credited': t`Money came back from the bank and is not on the account yet.`,
    'deposit-not-credited': t`The money has arrived and is not on the account yet.`,
    'transfer-waits': t`The transfer waits; the money is set aside on the source account.`,
    'transfer-under-way': t`The money has left one account and is not on the other yet. It is owed to the client.`,
    'demo-without-balance': t`The demo account is open without its balance. No real money is concerned.`,
    'correction-waits': t`The correction is approved and not booked on the platform yet.`,
    'account-waits': t`The client waits for the trading account.`,
    'leverage-waits': t`The leverage is still the old one.`,
    'status-waits': t`The account is still of the old client status.`,
    'refund-waits': t`The payment has not gone back to the payer yet.`,
    'mail-not-sent': t`The mail has not reached its reader.`,
    'nothing-yet': t`Nothing the client sees, for now.`,
    waits: t`The client waits.`,
  }
  const states: Readonly<Record<string, string>> = {
    waiting: t`waits`,
    sending: t`not answered`,
    unknown: t`outcome unknown`,
    refused: t`refused`,
    dead: t`given up`,
    absent: t`not found at the platform`,
    done: t`done`,
  }
  const tries: Readonly<Record<string, string>> = {
    written: t`Written down`,
    sent: t`Sent`,
    asked: t`The platform was asked what became of it`,
    parked: t`Laid aside for a person`,
    failed: t`Failed`,
  }
  return {
    kind: (kind) => kinds[kind] ?? mailLabel(kind, i18n.locale as Language) ?? plainWords(kind),
    meaning: (meaning) => meanings[meaning] ?? plainWords(meaning),
    state: (state) => states[state] ?? plainWords(state).toLowerCase(),
    tried: (what) => tries[what] ?? plainWords(what),
  }
}
