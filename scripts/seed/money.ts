/** Payments of the demo's clients: enough that every list and queue has entries. */
import { requestAnAccount, updateAccount } from '#contract/accounts.ts'
import type { SettingSection } from '#contract/setting-sections.ts'
import { approveSettingChange, getSetting, saveSetting } from '#contract/office/settings.ts'
import { transferRateDaysMax } from '#rules/constants.ts'
import {
  approvedAccountOf,
  applyAsProfessional,
  nameAccount,
  openLiveAccount,
  openDemoAccount,
  createPastTrades,
  approveAsProfessional,
  rejectAccountRequest,
  tokenFor,
  openPositions,
  playTransfer,
  type SeedAction,
  type SeedScenario,
} from './scenarios.ts'
import { fundByWire, prepareMatchablePayment } from './deposit-scenarios.ts'
import { addBank, addApprovedBanks, playWithdrawals } from './withdrawal-scenarios.ts'
import { seedLatecomers, type SeededClient } from './onboarding.ts'
import { personas, type PersonaKey } from './personas.ts'
import type { SeedContext } from './context.ts'
import { demoThreshold, type Team } from './staff.ts'
import { pendingActions } from './pending.ts'

/** Plays two months of accounts and payments in chronological order, and leaves some of every kind pending. */
export async function seedPayments(
  context: SeedContext,
  team: Team,
  clients: ReadonlyMap<PersonaKey, SeededClient>,
): Promise<void> {
  const play: SeedScenario = { context, team, clients, accounts: new Map() }
  const acts = [...clarasActions(play), ...otherActions(play), ...pendingThisMorning(play), ...pendingActions(play)]
  for (const [, act] of acts.toSorted(([a], [b]) => b - a)) await act()
  await context.settle()
  await openPositions(play)
  await createPastTrades(play)
}

async function lowerThreshold(play: SeedScenario): Promise<void> {
  await play.context.at(28, '08:00')
  const value = { EUR: demoThreshold, GBP: demoThreshold, USD: demoThreshold }
  await saveApproved(play, 'thresholds', value, 'Low enough to demonstrate dual approval.')
}

/** A demo may run for weeks without anyone who enters rates. */
async function enterRates(play: SeedScenario): Promise<void> {
  const { context } = play
  await context.at(5.5, '05:40')
  const pairs = { 'EUR/USD': '1.0850', 'GBP/USD': '1.2700', 'EUR/GBP': '0.8540' }
  const asOf = `${context.now().toISOString().slice(0, 16)}Z`
  await saveApproved(play, 'rates', { pairs, asOf, maxAgeDays: transferRateDaysMax }, 'The morning’s bank rates.')
}

/** These settings require a second administrator, in the demo as well. */
async function saveApproved(
  { context, team }: SeedScenario,
  section: SettingSection,
  value: unknown,
  reason: string,
): Promise<void> {
  const before = await context.call(getSetting, { as: await team.token('admin'), params: { section } })
  const body = { value, version: before.version, reason }
  const { changeId } = await context.call(saveSetting, { as: await team.token('admin'), params: { section }, body })
  if (!changeId) throw new Error(`The section ${section} was saved without a second person.`)
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

function clarasActions(play: SeedScenario): SeedAction[] {
  return [
    [27, () => nameAccount(play, 'clara', 'EUR', 'Main account')],
    [26.9, () => openLiveAccount(play, 'clara', { platform: 'MT4', accType: 'ECN', baseCurrency: 'GBP' }, 'Sterling')],
    [26, () => fundByWire(play, 26, ['clara', 'EUR', '12000.00'], ['clara', 'GBP', '2400.00'])],
    [24, () => addApprovedBanks(play, 24, ['clara', claraIban], ['jonas', jonasIban], ['thomas', thomasBank])],
    [18, () => fundByWire(play, 18, ['clara', 'EUR', '1750.50'])],
    [14, () => playWithdrawals(play, 14, 'paid', ['clara', 'EUR', '970.00'])],
    [9, () => playWithdrawals(play, 9, 'paid', ['clara', 'EUR', '300.00'], ['jonas', 'EUR', '2000.00'])],
    [6, () => playWithdrawals(play, 6, 'rejected', ['clara', 'EUR', '150.00'])],
    [5.1, () => play.context.at(5, '11:20')],
    [5, () => openDemoAccount(play, 'clara')],
  ]
}

function otherActions(play: SeedScenario): SeedAction[] {
  const { context, team } = play
  return [
    [28, () => lowerThreshold(play)],
    [22, () => approveAsProfessional(play, 'jonas', 22)],
    [21, () => approveAsProfessional(play, 'piotr', 21)],
    [20, () => fundByWire(play, 20, ['jonas', 'EUR', '44112.80'], ['piotr', 'EUR', '8200.00'])],
    [16, () => fundByWire(play, 16, ['thomas', 'GBP', '3200.00'], ['hannah', 'GBP', '1450.00'])],
    [
      14.5,
      () => openLiveAccount(play, 'hannah', { platform: 'MT5', accType: 'Standard', baseCurrency: 'EUR' }, 'Euro'),
    ],
    [
      12,
      () => fundByWire(play, 12, ['marek', 'EUR', '5100.00'], ['lea', 'EUR', '900.00'], ['sofia', 'EUR', '2600.00']),
    ],
    [1.45, () => playWithdrawals(play, 1, 'approved', ['thomas', 'GBP', '400.00'])],
    [5.6, () => enterRates(play)],
    [5.5, () => playTransfer(play, 'hannah', '250.00', 5.5, true)],
    [4, () => seedLatecomers(context, team, 4)],
  ]
}

/** Returns one of each kind that staff find in the morning. */
function pendingThisMorning(play: SeedScenario): SeedAction[] {
  const { context } = play
  return [
    [2, () => playWithdrawals(play, 2, 'second_approval', ['jonas', 'EUR', '18400.00'])],
    [1.5, () => playWithdrawals(play, 1, 'pending', ['thomas', 'GBP', '640.00'])],
    [1, () => requestsOfYesterday(play)],
    [0.3, () => playTransfer(play, 'hannah', '300.00', 0.2, false)],
    [0.2, () => context.at(0.15, '06:30')],
    [0.15, async () => void (await prepareMatchablePayment(play, 'clara', 'EUR', '2500.00'))],
  ]
}

async function requestsOfYesterday(play: SeedScenario): Promise<void> {
  const { context } = play
  await context.at(1, '09:40')
  const piotr = await tokenFor(play, 'piotr')
  await context.call(updateAccount, {
    as: piotr,
    body: { accountId: (await approvedAccountOf(play, 'piotr', 'EUR', piotr))._id, leverage: 100 },
  })
  const ecn = { requestType: 'live', platform: 'MT5', accType: 'ECN', baseCurrency: 'USD', leverage: 30 } as const
  await context.call(requestAnAccount, { as: await tokenFor(play, 'sofia'), body: ecn })
  const clara = await tokenFor(play, 'clara')
  await context.call(requestAnAccount, { as: clara, body: ecn })
  await rejectAccountRequest(play, clara)
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
  await applyAsProfessional(play, 'marek')
}
