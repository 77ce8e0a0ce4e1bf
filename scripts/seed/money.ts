/** Payments of the demo's clients: enough that every list and queue has entries. */
import { requestAnAccount, updateAccount } from '#contract/accounts.ts'
import { approveSettingChange, getSetting, saveSetting } from '#contract/office/settings.ts'
import {
  account,
  apply,
  nameAccount,
  open,
  openDemo,
  pastTrades,
  professional,
  refuseAccount,
  tokenFor,
  trades,
  transfer,
  type Act,
  type Play,
} from './scenarios.ts'
import { fund, payIn } from './deposit-scenarios.ts'
import { addBank, banks, withdraw } from './withdrawal-scenarios.ts'
import { playLatecomers, type SeededClient } from './onboarding.ts'
import { personas, type PersonaKey } from './personas.ts'
import type { SeedContext } from './context.ts'
import { demoThreshold, type Team } from './staff.ts'
import { pendingActs } from './pending.ts'

/** Plays two months of accounts and payments in chronological order, and leaves some of every kind pending. */
export async function playMoney(
  context: SeedContext,
  team: Team,
  clients: ReadonlyMap<PersonaKey, SeededClient>,
): Promise<void> {
  const play: Play = { context, team, clients, accounts: new Map() }
  const acts = [...clarasActs(play), ...othersActs(play), ...waitingActs(play), ...pendingActs(play)]
  for (const [, act] of acts.toSorted(([a], [b]) => b - a)) await act()
  await context.settle()
  await trades(play)
  await pastTrades(play)
}

/** Thresholds require a second administrator, in the demo as well. */
async function lowerThreshold({ context, team }: Play): Promise<void> {
  await context.at(28, '08:00')
  const section = 'thresholds'
  const before = await context.call(getSetting, { as: await team.token('admin'), params: { section } })
  const value = { EUR: demoThreshold, GBP: demoThreshold, USD: demoThreshold }
  const body = { value, version: before.version, reason: 'Low enough to show four eyes at work.' }
  const { changeId } = await context.call(saveSetting, { as: await team.token('admin'), params: { section }, body })
  if (!changeId) throw new Error('The threshold was saved without a second person.')
  await context.call(approveSettingChange, {
    as: await team.token('secondAdmin'),
    params: { id: changeId },
    body: { version: 1 },
  })
}

const claraIban = {
  bankCountry: 'DE',
  bankAccountCurrency: 'EUR',
  bankIBAN: personas.clara.payerAccount,
  bankSwift: 'BYLADEM1001',
} as const
const jonasIban = {
  bankCountry: 'SE',
  bankAccountCurrency: 'EUR',
  bankIBAN: personas.jonas.payerAccount,
  bankSwift: 'ESSESESS',
} as const
const thomasBank = {
  bankCountry: 'GB',
  bankAccountCurrency: 'GBP',
  bankAccountNumber: '55555555',
  bankSortCode: '202015',
} as const

function clarasActs(play: Play): Act[] {
  return [
    [27, () => nameAccount(play, 'clara', 'EUR', 'Main account')],
    [26.9, () => open(play, 'clara', { platform: 'MT4', accType: 'ECN', baseCurrency: 'GBP' }, 'Sterling')],
    [26, () => fund(play, 26, ['clara', 'EUR', '12000.00'], ['clara', 'GBP', '2400.00'])],
    [24, () => banks(play, 24, ['clara', claraIban], ['jonas', jonasIban], ['thomas', thomasBank])],
    [18, () => fund(play, 18, ['clara', 'EUR', '1750.50'])],
    [14, () => withdraw(play, 14, 'paid', ['clara', 'EUR', '970.00'])],
    [9, () => withdraw(play, 9, 'paid', ['clara', 'EUR', '300.00'], ['jonas', 'EUR', '2000.00'])],
    [6, () => withdraw(play, 6, 'rejected', ['clara', 'EUR', '150.00'])],
    [5.1, () => play.context.at(5, '11:20')],
    [5, () => openDemo(play, 'clara')],
  ]
}

function othersActs(play: Play): Act[] {
  const { context, team } = play
  return [
    [28, () => lowerThreshold(play)],
    [22, () => professional(play, 'jonas', 22)],
    [21, () => professional(play, 'piotr', 21)],
    [20, () => fund(play, 20, ['jonas', 'EUR', '44112.80'], ['piotr', 'EUR', '8200.00'])],
    [16, () => fund(play, 16, ['thomas', 'GBP', '3200.00'], ['hannah', 'GBP', '1450.00'])],
    [14.5, () => open(play, 'hannah', { platform: 'MT5', accType: 'Standard', baseCurrency: 'EUR' }, 'Euro')],
    [12, () => fund(play, 12, ['marek', 'EUR', '5100.00'], ['lea', 'EUR', '900.00'], ['sofia', 'EUR', '2600.00'])],
    [1.45, () => withdraw(play, 1, 'approved', ['thomas', 'GBP', '400.00'])],
    [5.5, () => transfer(play, 'hannah', '250.00', 5.5, true)],
    [4, () => playLatecomers(context, team, 4)],
  ]
}

/** Returns one of each kind that staff find in the morning. */
function waitingActs(play: Play): Act[] {
  const { context } = play
  return [
    [2, () => withdraw(play, 2, 'second_approval', ['jonas', 'EUR', '18400.00'])],
    [1.5, () => withdraw(play, 1, 'pending', ['thomas', 'GBP', '640.00'])],
    [1, () => requestsOfYesterday(play)],
    [0.3, () => transfer(play, 'hannah', '300.00', 0.2, false)],
    [0.2, () => context.at(0.15, '06:30')],
    [0.15, async () => void (await payIn(play, 'clara', 'EUR', '2500.00'))],
  ]
}

async function requestsOfYesterday(play: Play): Promise<void> {
  const { context } = play
  await context.at(1, '09:40')
  const piotr = await tokenFor(play, 'piotr')
  await context.call(updateAccount, {
    as: piotr,
    body: { accountId: (await account(play, 'piotr', 'EUR', piotr))._id, leverage: 100 },
  })
  const ecn = { requestType: 'live', platform: 'MT5', accType: 'ECN', baseCurrency: 'USD', leverage: 30 } as const
  await context.call(requestAnAccount, { as: await tokenFor(play, 'sofia'), body: ecn })
  const clara = await tokenFor(play, 'clara')
  await context.call(requestAnAccount, { as: clara, body: ecn })
  await refuseAccount(play, clara)
  await Promise.all([
    addBank(play, 'lea', {
      bankCountry: 'AT',
      bankAccountCurrency: 'EUR',
      bankIBAN: personas.lea.payerAccount,
      bankSwift: 'BKAUATWW',
    }),
    addBank(play, 'clara', {
      bankCountry: 'GB',
      bankAccountCurrency: 'GBP',
      bankAccountNumber: '70872490',
      bankSortCode: '404784',
    }),
  ])
  await apply(play, 'marek')
}
