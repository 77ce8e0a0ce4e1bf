/** The single scenarios of the demo's history, each through the product's own calls. */
import { getLiveAccounts, requestAnAccount, setNickname } from '#contract/accounts.ts'
import { approveAccount, listAccountRequests, rejectAccount } from '#contract/office/account-requests.ts'
import { approveProfessional, listProfessional } from '#contract/office/professional.ts'
import { approveTransfer, listOfficeTransfers } from '#contract/office/transfers.ts'
import { submitClientsProfessionalApplication } from '#contract/professional-status.ts'
import { requestTransfer } from '#contract/transfers.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { Currency } from '#rules/money.ts'
import { readTrades } from '#server/features/trading-history/jobs.ts'
import { logIn } from './log-in.ts'
import type { SeededClient } from './onboarding.ts'
import type { PersonaKey } from './personas.ts'
import type { SeedContext } from './context.ts'
import type { Team } from './staff.ts'

export interface SeedScenario {
  readonly context: SeedContext
  readonly team: Team
  readonly clients: ReadonlyMap<PersonaKey, SeededClient>
  /** The approved accounts that were read, by person and currency: their numbers stay the same. */
  readonly accounts: Map<string, KnownAccount>
}

type LiveAccount = ResponseOf<typeof getLiveAccounts>['accounts'][number]
type KnownAccount = Pick<LiveAccount, '_id' | 'platform'> & { readonly number: string }

/** An action, and how many days before now it happened. */
export type SeedAction = readonly [daysAgo: number, act: () => Promise<void>]

export function seededClientOf(play: SeedScenario, who: PersonaKey): SeededClient {
  const client = play.clients.get(who)
  if (!client) throw new Error(`${who} is not a client.`)
  return client
}

export function tokenFor(play: SeedScenario, who: PersonaKey): Promise<string> {
  return logIn(play.context, seededClientOf(play, who).person)
}

type NewAccount = { platform: 'MT4' | 'MT5'; accType: 'Standard' | 'ECN'; baseCurrency: Currency }

export async function openLiveAccount(
  play: SeedScenario,
  who: PersonaKey,
  wanted: NewAccount,
  nickname: string,
): Promise<void> {
  const { context, team } = play
  const as = await tokenFor(play, who)
  const { id } = await context.call(requestAnAccount, { as, body: { requestType: 'live', leverage: 30, ...wanted } })
  const staff = await team.token('operations')
  await context.call(approveAccount, { as: staff, params: { id }, body: { version: 1 } })
  await context.settle()
  await context.call(setNickname, { as, body: { accountId: id, nickname } })
}

/** Requests a demo account with play money. */
export async function openDemoAccount(play: SeedScenario, who: PersonaKey): Promise<void> {
  const { context } = play
  const body = {
    requestType: 'demo',
    platform: 'MT5',
    accType: 'Standard',
    baseCurrency: 'EUR',
    leverage: 30,
    balance: 10000,
  } as const
  await context.call(requestAnAccount, { as: await tokenFor(play, who), body })
  await context.settle()
}

export async function nameAccount(
  play: SeedScenario,
  who: PersonaKey,
  currency: Currency,
  nickname: string,
): Promise<void> {
  const as = await tokenFor(play, who)
  const { _id } = await approvedAccountOf(play, who, currency, as)
  await play.context.call(setNickname, { as, body: { accountId: _id, nickname } })
}

/** Clara requests a second euro account and is told why not. */
export async function rejectAccountRequest({ context, team }: SeedScenario, clara: string): Promise<void> {
  const { id } = await context.call(requestAnAccount, {
    as: clara,
    body: { requestType: 'live', platform: 'MT4', accType: 'Standard', baseCurrency: 'EUR', leverage: 30 },
  })
  await context
    .call(setNickname, { as: clara, body: { accountId: id, nickname: 'Second euro account' } })
    .catch(() => undefined)
  const as = await team.token('operations')
  const { rows } = await context.call(listAccountRequests, { as, query: { state: 'pending' } })
  const request = rows.find((row) => row.id === id)
  if (!request) throw new Error('Clara’s request is not listed.')
  const reason = 'You already have a Standard account in EUR. Request an ECN account or another currency.'
  await context.call(rejectAccount, { as, params: { id }, body: { version: request.version, reason } })
}

export async function approvedAccountOf(
  { context, accounts: known }: SeedScenario,
  who: PersonaKey,
  currency: Currency,
  as: string,
): Promise<KnownAccount> {
  const name = `${who} ${currency}`
  const found = known.get(name)
  if (found) return found
  const { accounts } = await context.call(getLiveAccounts, { as, params: { a: currency, b: 'approved' } })
  const [first] = accounts
  if (!first?.number) throw new Error(`${who} has no account in ${currency}.`)
  const account = { _id: first._id, platform: first.platform, number: first.number }
  known.set(name, account)
  return account
}

/** Plays an own transfer from sterling to euro, decided or pending. */
export async function playTransfer(
  play: SeedScenario,
  who: PersonaKey,
  amount: string,
  daysAgo: number,
  decide: boolean,
): Promise<void> {
  const { context, team } = play
  await context.at(daysAgo, '06:10')
  const as = await tokenFor(play, who)
  const source = await approvedAccountOf(play, who, 'GBP', as)
  const destination = await approvedAccountOf(play, who, 'EUR', as)
  const { id } = await context.call(requestTransfer, {
    as,
    body: {
      sourceAccountPlatform: source.platform,
      sourceAccount: source.number,
      destinationAccountPlatform: destination.platform,
      destinationAccount: destination.number,
      transferCurrency: 'GBP',
      transferAmount: amount,
    },
  })
  if (!decide) return
  const staff = await team.token('operations')
  const { rows } = await context.call(listOfficeTransfers, { as: staff, query: { state: 'pending' } })
  const version = rows.find((row) => row.id === id)?.version ?? 1
  const body = { version, note: 'Margin checked.', acknowledged: ['margin-level' as const] }
  await context.call(approveTransfer, { as: staff, params: { id }, body })
  await context.settle()
}

export async function applyAsProfessional(play: SeedScenario, who: PersonaKey): Promise<void> {
  const as = await tokenFor(play, who)
  await play.context.call(submitClientsProfessionalApplication, {
    as,
    body: {
      form: {
        question01: 'Yes',
        question02: '20-29',
        question03: 'Yes',
        question04: 'Yes',
        question05: 'Harbour Asset Management',
        question06: 'Portfolio manager',
        question07: 'Yes',
        question08: 'Eleven years of forex and index CFDs, for the firm and for myself.',
        step: 5,
        subStep: 1,
      },
    },
  })
}

export async function approveAsProfessional(play: SeedScenario, who: PersonaKey, daysAgo: number): Promise<void> {
  const { context, team } = play
  await context.at(daysAgo, '10:00')
  await applyAsProfessional(play, who)
  const as = await team.token('compliance')
  const { rows } = await context.call(listProfessional, { as, query: { state: 'pending' } })
  const application = rows.find((row) => row.client.id === seededClientOf(play, who).id)
  if (!application) throw new Error('The application is not listed.')
  const { _id } = await approvedAccountOf(play, who, 'EUR', await tokenFor(play, who))
  const body = {
    version: application.version,
    reason: 'Two of the three criteria are met. The evidence has been checked.',
    accounts: [_id],
  }
  await context.call(approveProfessional, { as, params: { id: application.id }, body })
  await context.settle()
}

const simulatorOf = { MT4: 'mt4', MT5: 'mt5' } as const

/** Opens positions, so that margin and unrealised P&L have values. */
export async function openPositions(play: SeedScenario): Promise<void> {
  const { context } = play
  const positions = [
    ['clara', 'EUR', '18000.00', '260.24'],
    ['clara', 'EUR', '24000.00', '170.50'],
    ['clara', 'EUR', '14223.00', '0.00'],
    ['clara', 'GBP', '6000.00', '38.15'],
    ['jonas', 'EUR', '190000.00', '-412.20'],
  ] as const
  for (const [who, currency, notional, profit] of positions) {
    const { number, platform } = await approvedAccountOf(play, who, currency, await tokenFor(play, who))
    await context.turn(simulatorOf[platform], 'market/open', { login: number, notional, profit })
  }
}

const daySeconds = 86_400

/** Plays the accounts' trades since they were funded; the balances are unchanged. */
export async function createPastTrades(play: SeedScenario): Promise<void> {
  const { context } = play
  const traders = [
    ['clara', 'EUR', 11],
    ['clara', 'GBP', 17],
    ['jonas', 'EUR', 23],
    ['thomas', 'GBP', 5],
  ] as const
  const to = Math.floor(context.now().getTime() / 1000) - daySeconds
  await Promise.all(
    traders.map(async ([who, currency, seed]) => {
      const { number, platform } = await approvedAccountOf(play, who, currency, await tokenFor(play, who))
      await context.turn(simulatorOf[platform], 'deals/past', { login: number, from: 0, to, seed })
    }),
  )
  await readTrades(context.server.dependencies)
}
