/**
 * Recovery: the lost data, what platforms, provider and bank show of it, and who confirms facts that left no trace in
 * other systems (requirements 20.13).
 */
import * as z from 'zod/mini'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { recoveryActions, recoveryItemKinds, recoveryItemMachine } from '#rules/recovery-items.ts'
import { endpoint } from '../endpoint.ts'
import { balance, body, choice, currency, signedBalance, id, isoDate, line, seconds } from '../fields.ts'
import { decisionsOn } from './decision.ts'
import { clientBrief, page, paramsOf, root, staffBrief, listOf, signedAmountFilters } from './briefs.ts'
import { reason, recordFields } from './decisions.ts'

const actorAndTime = z.nullable(z.object({ by: staffBrief, at: seconds }))
const itemState = choice(recoveryItemMachine.states)
const itemFacts = {
  kind: choice(recoveryItemKinds),
  state: itemState,
  /**
   * `card`: a payment at the card provider, with the checkout's id as its ticket. `bank`: the transaction of an adopted
   * wire.
   */
  platform: choice(['MT4', 'MT5', 'card', 'bank']),
  accountNumber: z.string(),
  ticket: z.string(),
  comment: z.string(),
  /** Positive: credited to the account. For an account: its balance. */
  amount: signedBalance,
  currency,
  dealAt: seconds,
  reference: z.string(),
  /** The leg that the comment proves, such as "withdrawal-debit"; empty if only a later version knows it. */
  leg: z.string(),
  subject: z.nullable(z.string()),
  record: z.nullable(z.string()),
  client: z.nullable(clientBrief),
}

export const getRecovery = endpoint('getRecovery', `GET ${root}/recovery`, {
  summary:
    'Returns the open recovery: its findings, the stopped channels, and what is still needed to resume each channel.',
  access: readPermissions.recovery,
  response: z.object({
    recovery: z.nullable(
      z.object({
        id: z.string(),
        since: seconds,
        openedAt: seconds,
        accountsOpenAt: z.nullable(seconds),
        payoutsOpenAt: z.nullable(seconds),
        lastRunAt: z.nullable(seconds),
        openItems: z.int(),
        /** Requests that their clients have not confirmed again yet. */
        unconfirmed: z.int(),
        /** The firm's accounts, whose statements must cover the time since the loss. */
        bankAccounts: z.array(
          z.object({
            account: z.string(),
            currency,
            coveredTo: z.nullable(z.string()),
            neededTo: z.string(),
            complete: z.boolean(),
            typed: z.nullable(
              z.object({
                closing: signedBalance,
                /** The closing date, in the form YYYY-MM-DD. */
                on: z.string(),
                by: staffBrief,
                confirmedBy: z.nullable(staffBrief),
              }),
            ),
          }),
        ),
        /** Accounts on the platforms that the database lacks; they must be disabled there until staff decide. */
        unknownAccounts: z.array(
          z.object({
            platform: choice(['MT4', 'MT5']),
            accountNumber: z.string(),
            group: z.string(),
            /** By the platform's group, by the operator's list, or by a deal of ours on it. */
            source: choice(['group', 'operator', 'deal']),
            openedAt: z.nullable(seconds),
            foundAt: seconds,
            /** Null until the platform has confirmed it. */
            disabledAt: z.nullable(seconds),
            /** The finding that two people decide. */
            item: z.nullable(
              z.object({ id: z.string(), state: itemState, action: z.nullable(choice(recoveryActions)) }),
            ),
          }),
        ),
        accessCompliance: actorAndTime,
        accessAdministrator: actorAndTime,
        bankFirst: actorAndTime,
        bankSecond: actorAndTime,
      }),
    ),
  }),
})

export const listRecoveryItems = endpoint('listRecoveryItems', `GET ${root}/recovery/items`, {
  summary:
    'Returns the recovery findings that two people must decide: deals, payments, accounts and bank transactions.',
  access: readPermissions.recovery,
  query: listOf(['foundAt'], { state: z.optional(itemState), ...signedAmountFilters }),
  response: page(z.object({ id: z.string(), version: z.int(), ...itemFacts })),
})

export const getRecoveryItem = endpoint('getRecoveryItem', `GET ${root}/recovery/items/:id`, {
  summary: 'Returns one finding with the possible decisions.',
  access: readPermissions.recovery,
  params: paramsOf<'recovery_item'>(),
  response: z.object({
    item: z.object({
      ...recordFields,
      ...itemFacts,
      action: z.nullable(choice(recoveryActions)),
      proposedBy: z.nullable(staffBrief),
      /** The recorded operation with the deal's reference: amount or account differ in a mismatch. */
      operation: z.nullable(
        z.object({ amount: signedBalance, currency, platform: choice(['MT4', 'MT5']), accountNumber: z.string() }),
      ),
      /** The client's bank accounts, for a lost withdrawal. */
      banks: z.array(z.object({ id: z.string(), name: z.string(), number: z.string() })),
      /** The client's other accounts, for a lost transfer. */
      destinations: z.array(z.object({ id: z.string(), platform: z.string(), number: z.string(), currency })),
      /** The bank transactions that may have paid a recovered wire; one that names it is used automatically. */
      lines: z.array(
        z.object({
          id: z.string(),
          payer: z.string(),
          remittance: z.string(),
          amount: signedBalance,
          bookedOn: z.string(),
          named: z.boolean(),
        }),
      ),
    }),
  }),
})

const decision = decisionsOn('recovery/items', recoveryItemMachine)

export const proposeRecoveryItem = decision('proposeRecoveryItem', 'propose', {
  summary: 'Proposes a decision on a finding. Another person with the finance role must confirm it.',
  body: {
    action: choice(recoveryActions),
    bankId: z.optional(id),
    destinationId: z.optional(id),
    depositType: z.optional(choice(['wire', 'cc_gcen'])),
    /** The bank transaction that paid a wire. */
    lineId: z.optional(id),
    /** The account to which a payment with a lost checkout is assigned. */
    platform: z.optional(choice(['MT4', 'MT5'])),
    accountNumber: z.optional(line(40)),
    /** The client who owns an account without a record. */
    clientEmail: z.optional(line(254)),
    reason,
  },
  problems: [
    'required',
    'account-unknown',
    'currency-not-account',
    'own-request',
    'recovery-action',
    'recovery-second',
    'recovery-choice',
    'recovery-line-needed',
    'recovery-group',
    'client-unknown',
    'recovery-refunded',
    'recovery-uncovered',
    'recovery-paid-out',
  ],
})
export const confirmRecoveryItem = decision('confirmRecoveryItem', 'confirm', {
  summary: 'Confirms and carries out the proposal. The person who made it may not confirm it.',
  body: {},
  problems: [
    'own-act',
    'required',
    'account-unknown',
    'recovery-credited',
    'recovery-refunded',
    'payments-on-hold',
    'owner-closed',
    'recovery-debit-first',
    'recovery-arrival-unknown',
    'recovery-line-needed',
    'recovery-action',
    'recovery-decided',
    'recovery-second',
    'recovery-sending',
    'recovery-group',
    'account-known',
    'client-unknown',
    'recovery-uncovered',
    'recovery-paid-out',
  ],
})
export const dropRecoveryItem = decision('dropRecoveryItem', 'drop', {
  summary: 'Cancels a proposal and reopens the finding.',
  body: { reason },
})

export const confirmAccess = endpoint('confirmAccess', `POST ${root}/recovery/confirm-access`, {
  summary:
    'Confirms that staff, roles, suspensions, holds, flags and settings are correct. Needs two people: one with the compliance role and one administrator.',
  access: permissions.confirmAccess,
  body: body({}),
  problems: ['no-recovery', 'own-act', 'said-before'],
})
export const confirmBank = endpoint('confirmBank', `POST ${root}/recovery/confirm-bank`, {
  summary: 'Confirms that the bank has no unposted payment order. Needs two people with the finance role.',
  access: permissions.confirmBank,
  body: body({}),
  problems: ['no-recovery', 'own-act', 'said-before', 'recovery-statements'],
})
export const typeBankBalance = endpoint('typeBankBalance', `POST ${root}/recovery/bank-balances`, {
  summary: 'Records the closing balance of an account without movements. Another person must confirm it.',
  access: permissions.confirmBank,
  body: body({ account: line(64), closing: balance, currency, on: isoDate }),
  problems: ['no-recovery', 'account-unknown-bank', 'recovery-balance', 'date-invalid'],
})
export const confirmBankBalance = endpoint('confirmBankBalance', `POST ${root}/recovery/bank-balances/confirm`, {
  summary: 'Confirms a closing balance that another person recorded, as it was shown.',
  access: permissions.confirmBank,
  body: body({ account: line(64), closing: balance, on: isoDate }),
  problems: ['no-recovery', 'own-act', 'account-unknown-bank', 'stale-page'],
})
