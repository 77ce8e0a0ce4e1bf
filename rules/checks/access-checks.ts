/** The checks of decisions that give a client access: to the portal, an account, a leverage, a bank account. */
import { check, type Check, type Fact } from './check.ts'
import {
  clientStatus,
  identityDocument,
  proofOfAddress,
  screening,
  type ClientFacts,
  type IdentityFacts,
} from './client-checks.ts'
import { holderEntered, type HolderFacts } from './name-checks.ts'

/** Data that clients may share. */
export const sharedDetailKinds = ['document', 'bankAccount', 'device', 'phone'] as const
export type SharedDetailKind = (typeof sharedDetailKinds)[number]

export interface SharedDetailFacts {
  /** The number of other clients who share each detail: a check names none of them (requirements 24.9, ADR 243). */
  readonly elsewhere: Fact<{
    readonly clients: number
    readonly shared: readonly { readonly thing: SharedDetailKind; readonly clients: number }[]
  }>
}

export const sharedDetails: Check<SharedDetailFacts> = check(
  'same-elsewhere',
  null,
  ({ elsewhere }) => elsewhere,
  ({ clients, shared }) => {
    // A shared device is a hint and never the only reason for a warning (requirements 19.17).
    const warning = shared.some(({ thing }) => thing !== 'device')
    return {
      result: warning ? 'warn' : 'pass',
      sentence: warning ? 'shared-elsewhere' : 'nothing-elsewhere',
      values: { clients: { count: clients } },
      facts: Object.fromEntries(shared.map(({ thing, clients: count }) => [thing, { count }])),
    }
  },
)

type ClientApprovalFacts = Pick<ClientFacts, 'sanctionFlag'> & SharedDetailFacts
export const clientApprovalChecks: readonly Check<ClientApprovalFacts>[] = [screening, sharedDetails]

type BankDetailsFacts = Pick<ClientFacts, 'clientState' | 'sanctionFlag'> & HolderFacts & SharedDetailFacts
export const bankDetailsChecks: readonly Check<BankDetailsFacts>[] = [
  clientStatus,
  screening,
  holderEntered,
  sharedDetails,
]

type AccountOpeningFacts = Pick<ClientFacts, 'clientState'> & IdentityFacts
export const accountOpeningChecks: readonly Check<AccountOpeningFacts>[] = [
  clientStatus,
  identityDocument,
  proofOfAddress,
]

export const leverageChecks: readonly Check<Pick<ClientFacts, 'clientState'>>[] = [clientStatus]
