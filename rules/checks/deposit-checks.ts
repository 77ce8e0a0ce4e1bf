/**
 * The checks of a bank transaction, matched to a deposit or returned to its sender, and of a card payment that is not
 * credited (requirements 19.8, 19.16, 24.161).
 */
import { check, type Check, type Fact } from './check.ts'
import { paymentsOnHold, screening, type ClientFacts } from './client-checks.ts'
import { payerIsClient, type PayerFacts } from './name-checks.ts'
import { chargeback, type WithdrawalFacts } from './withdrawal-checks.ts'

type MatchFacts = Pick<ClientFacts, 'hold'> & PayerFacts
export const matchChecks: readonly Check<MatchFacts>[] = [payerIsClient, paymentsOnHold]

/** A card payment that is credited again or refunded. */
export const uncreditedChecks: readonly Check<
  Pick<ClientFacts, 'hold' | 'sanctionFlag'> & Pick<WithdrawalFacts, 'chargebacks'>
>[] = [paymentsOnHold, screening, chargeback]

/** A client who may have made an unmatched payment, according to its reference or the payer's account. */
export interface LikelyClient {
  readonly number: string
  readonly onHold: boolean
  readonly flagged: boolean
}

interface ReturnFacts {
  readonly likelyClients: Fact<readonly LikelyClient[]>
}

const clientOnHold: Check<ReturnFacts> = check(
  'payments-on-hold',
  null,
  ({ likelyClients }) => likelyClients,
  (clients) => judgeLikelyClients(clients, ({ onHold }) => onHold, 'client-on-hold', 'no-client-on-hold', 'pass'),
)

const clientFlagged: Check<ReturnFacts> = check(
  'screening',
  null,
  ({ likelyClients }) => likelyClients,
  (clients) =>
    judgeLikelyClients(
      clients,
      ({ flagged }) => flagged,
      'client-flagged',
      'screening-not-connected',
      'not-carried-out',
    ),
)

function judgeLikelyClients(
  clients: readonly LikelyClient[],
  stops: (client: LikelyClient) => boolean,
  stopping: string,
  passing: string,
  otherwise: 'pass' | 'not-carried-out',
) {
  const numbers = clients.filter(stops).map(({ number }) => number)
  const isStopped = numbers.length > 0
  return {
    result: isStopped ? ('block' as const) : otherwise,
    sentence: isStopped ? stopping : passing,
    values: { clients: { text: numbers.join(', ') } },
    facts: Object.fromEntries(clients.map(({ number }) => [`likelyClient ${number}`, { text: number }])),
  }
}

export const returnChecks: readonly Check<ReturnFacts>[] = [clientOnHold, clientFlagged]
