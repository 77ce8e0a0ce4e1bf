/** One pending decision of each kind for the back office, so that none of its pages is empty. */
import { checkCreditCardPayment, requestCreditCardPayment } from '#contract/deposits.ts'
import { writeEnquiry } from '#contract/enquiries.ts'
import { confirmLine, confirmSettlement, importStatement, proposeSettlement } from '#contract/office/bank-lines.ts'
import { requestCorrection } from '#contract/office/accounting.ts'
import { checkSecurityAnswer } from '#contract/office/client-decisions.ts'
import { requestSourceOfWealth } from '#contract/office/documents.ts'
import { requestFactorReset } from '#contract/office/factor-resets.ts'
import { proposeFirmMoney } from '#contract/office/firm-money.ts'
import { requestErasure } from '#contract/office/retention.ts'
import { getSetting, saveSetting } from '#contract/office/settings.ts'
import { setAbsence } from '#contract/office/absences.ts'
import { assignItem, listInbox } from '#contract/office/inbox.ts'
import { changeRoles, listStaff } from '#contract/office/staff.ts'
import { dayIn, daysAfter, isoDay } from '#rules/dates.ts'
import { editUser } from '#contract/profile.ts'
import { confirmSecondFactor, startSecondFactor } from '#contract/security.ts'
import { settingSections } from '#contract/setting-sections.ts'
import * as z from 'zod/mini'
import { queryPaidCheckouts } from '#server/features/deposits/jobs.ts'
import { announceWire, importPayment, prepareMatchablePayment } from './deposit-scenarios.ts'
import {
  approvedAccountOf,
  openDemoAccount,
  seededClientOf,
  tokenFor,
  type SeedAction,
  type SeedScenario,
} from './scenarios.ts'
import { seedRejectedClient } from './onboarding.ts'
import { colleagues, demoPassword } from './personas.ts'
import { codeAt } from './context.ts'

/**
 * Each is requested by another person than the one who decides; actions of one staff member are close together, in one
 * session.
 */
export function pendingActions(play: SeedScenario): SeedAction[] {
  const payerAccount = 'IE64IRCE92050112345678'
  const invoice = { payer: 'Byrne Consulting Ltd', payerAccount, remittance: 'Invoice 2217' }
  return [
    ...erasureActions(play),
    ...chargebackActions(play),
    [0.99, () => requestNameChange(play)],
    [0.985, () => sendEnquiries(play)],
    [0.98, () => requestLostFactorReset(play)],
    [0.972, () => requestProofOfWealth(play)],
    [0.97, () => requestRateChange(play)],
    [0.96, () => requestRoleChange(play)],
    [0.95, () => requestAccountCorrection(play)],
    [0.94, () => proposeFirmTransfer(play)],
    [0.925, () => enterAbsence(play)],
    [0.14, async () => void (await prepareMatchablePayment(play, 'hannah', 'GBP', '1150.00', invoice))],
    [0.135, async () => void (await importPayment(play, 'jonas', 'EUR', '4800.00'))],
    [0.93, () => rejectDemoFunds(play)],
    [0.1, async () => void (await announceWire(play, 'lea', 'EUR', '400.00'))],
  ]
}

/** A client is rejected and requests erasure. */
function erasureActions({ context, team }: SeedScenario): SeedAction[] {
  let id = ''
  const ask = async () => {
    await context.at(1, '15:24')
    const body = {
      askedFor: 'client',
      reason: 'The client has asked us in writing to erase all data that we are not required to keep.',
    } as const
    await context.call(requestErasure, { as: await team.token('compliance'), params: { id }, body })
  }
  return [
    [10.5, async () => void (id = (await seedRejectedClient(context, team, 11)).id)],
    [0.975, ask],
  ]
}

/** Imports the card provider's payout of Sofia's payment less its charges; returns the bank transaction. */
async function importSettlement({ context, team }: SeedScenario): Promise<string> {
  const day = context.now().toISOString().slice(0, 10)
  const asked = { as: await team.token('admin'), params: { section: 'wireAccounts' } } as const
  const wireAccounts = await context.call(getSetting, asked)
  const { EUR } = z.parse(settingSections.wireAccounts, wireAccounts.value)
  const csv = `date,amount,currency,payer,remittance,id\n${day},492.50,EUR,Card provider,Settlement 2214,S2214\n`
  const body = { bankAccount: EUR.IBAN, filename: `statement-${day}.csv`, csv }
  const { lines } = await context.call(importStatement, { as: await team.token('operations'), body })
  const [line] = lines
  if (!line) throw new Error('The statement import added no bank transaction.')
  return line.id
}

/** Sofia pays by card and the provider pays it out; six days later her bank charges the payment back. */
function chargebackActions(play: SeedScenario): SeedAction[] {
  const { context, team } = play
  let checkout = ''
  const act = (action: string) => context.turn('card', 'act', { id: checkout, action })
  const pay = async () => {
    await context.at(7, '15:10')
    const as = await tokenFor(play, 'sofia')
    const { number, platform } = await approvedAccountOf(play, 'sofia', 'EUR', as)
    // Webhooks are held, so this history's server queries the provider instead.
    await context.turn('card', 'webhooks', { hold: true })
    const { REF, paymentUrl } = await context.call(requestCreditCardPayment, {
      as,
      body: {
        accountPlatform: platform,
        accountNumber: number,
        depositCurrency: 'EUR',
        depositAmountSent: '500.00',
        paymentGatewayService: 'gcen',
        depositType: 'cc_gcen',
        method: 'cc_gcen',
        ccType: 114,
      },
    })
    checkout = /\/checkout\/([^/?]+)/.exec(paymentUrl)?.[1] ?? ''
    await act('pay')
    await context.call(checkCreditCardPayment, { as, body: { REF } })
    await context.settle()
  }
  const settle = async () => {
    await context.at(3, '09:05')
    const finance = await team.token('finance')
    const params = { id: await importSettlement(play) }
    const arrived = await context.call(confirmLine, { as: finance, params, body: { version: 1 } })
    const body = { version: arrived.version, fee: '7.50', reason: 'Settlement report 2214.' }
    const { version } = await context.call(proposeSettlement, { as: finance, params, body })
    await context.call(confirmSettlement, { as: await team.token('admin'), params, body: { version } })
  }
  const takeBack = async () => {
    await context.at(1, '08:20')
    await act('chargeback')
    await queryPaidCheckouts(context.server.dependencies, context.now())
    await context.turn('card', 'reset', {})
  }
  return [
    [6.6, pay],
    [3, settle],
    [1.4, takeBack],
  ]
}

/** Hannah has married. */
async function requestNameChange(play: SeedScenario): Promise<void> {
  const { context } = play
  await context.at(1, '11:05')
  const { title, name, surname, born, phone, street, city, postcode, country } = seededClientOf(play, 'hannah').person
  const [birthDay, birthMonth, birthYear] = born
  await context.call(editUser, {
    as: await tokenFor(play, 'hannah'),
    body: {
      title,
      name,
      surname: `${surname}-Byrne`,
      birthDay,
      birthMonth,
      birthYear,
      mobilePhone: phone,
      addressNo: street,
      city,
      postcode,
      country,
      nationality: country,
    },
  })
}

/** Marek turned on a second factor, lost his phone, and knows the answer to his security question. */
/** A question and a complaint. */
async function sendEnquiries(play: SeedScenario): Promise<void> {
  const { context } = play
  await context.at(1, '11:20')
  const questionText = 'My withdrawal was approved last week. When does it reach my bank account?'
  const complaintText = 'I was charged twice for the same bank transfer. I asked by phone and heard nothing.'
  const question = { topic: 'payments', text: questionText, complaint: false, reference: '' } as const
  await context.call(writeEnquiry, { as: await tokenFor(play, 'hannah'), body: question })
  const complaint = { ...question, text: complaintText, complaint: true }
  await context.call(writeEnquiry, { as: await tokenFor(play, 'sofia'), body: complaint })
}

async function requestLostFactorReset(play: SeedScenario): Promise<void> {
  const { context, team } = play
  await context.at(1, '11:40')
  const as = await tokenFor(play, 'marek')
  const { secret } = await context.call(startSecondFactor, { as, body: { password: demoPassword } })
  await context.call(confirmSecondFactor, { as, body: { code: codeAt(secret, context.now()) } })
  await context.at(1, '15:20')
  const { id, person: marek } = seededClientOf(play, 'marek')
  const staff = { as: await team.token('compliance'), params: { id } }
  await context.call(checkSecurityAnswer, { ...staff, body: { answer: marek.city } })
  const reason = 'Lost the phone and the recovery codes while travelling. Called from the registered number.'
  await context.call(requestFactorReset, { ...staff, body: { reason } })
}

/** The day's rate is pending for a second administrator. */
async function requestRateChange({ context, team }: SeedScenario): Promise<void> {
  await context.at(1, '15:45')
  const ask = { as: await team.token('admin'), params: { section: 'rates' } } as const
  const before = await context.call(getSetting, ask)
  const { pairs, maxAgeDays } = z.parse(settingSections.rates, before.value)
  const value = {
    pairs: { ...pairs, 'EUR/GBP': '0.8565' },
    maxAgeDays,
    asOf: `${context.now().toISOString().slice(0, 16)}Z`,
  }
  await context.call(saveSetting, {
    ...ask,
    body: { value, version: before.version, reason: 'This afternoon’s bank rate.' },
  })
}

/** Tom Reyes is to stand in for the finance supervisor. */
async function requestRoleChange({ context, team }: SeedScenario): Promise<void> {
  await context.at(1, '15:50')
  const as = await team.token('admin')
  const { rows } = await context.call(listStaff, { as })
  const clerk = rows.find(({ email }) => email === colleagues.operations.email)
  if (!clerk) throw new Error('There is no staff member with the operations role.')
  await context.call(changeRoles, {
    as,
    params: { id: clerk.id },
    body: {
      roles: ['operations', 'finance'],
      reason: 'Covers for Johanna Meier in December.',
      version: clerk.version,
    },
  })
}

/** Paul Okafor is away for a week, with an item that is due before. */
async function enterAbsence({ context, team }: SeedScenario): Promise<void> {
  await context.at(1, '16:44')
  const as = await team.token('admin')
  const { rows } = await context.call(listStaff, { as })
  const paul = rows.find(({ email }) => email === colleagues.secondAdmin.email)
  if (!paul) throw new Error('The second administrator is missing.')
  const today = dayIn(context.now(), 'UTC')
  const [from, until] = [today, daysAfter(today, 6)].map(isoDay) as [string, string]
  await context.call(setAbsence, { as, params: { id: paul.id }, body: { from, until, before: null } })
  const { items } = await context.call(listInbox, { as, query: { kind: 'bank_details' } })
  if (!items[0]) throw new Error('No bank details are pending.')
  await context.call(assignItem, { as, params: { id: items[0].id }, body: { to: paul.id } })
}

async function requestAccountCorrection(play: SeedScenario): Promise<void> {
  const { context, team } = play
  await context.at(1, '16:02')
  const { _id: accountId } = await approvedAccountOf(play, 'lea', 'EUR', await tokenFor(play, 'lea'))
  const reason = 'The bank deducted 12.50 EUR in charges from her transfer. We bear these charges.'
  const body = { accountId, amount: '12.50', currency: 'EUR', reason } as const
  await context.call(requestCorrection, { as: await team.token('finance'), body })
}

async function proposeFirmTransfer({ context, team }: SeedScenario): Promise<void> {
  await context.at(1, '16:08')
  const reason = 'Covers the shortfall from a transfer between currencies.'
  await context.call(proposeFirmMoney, {
    as: await team.token('finance'),
    body: { amount: '292.74', currency: 'EUR', reason },
  })
}

/** Piotr’s demo account is opened, and the platform rejects its play money. */
async function rejectDemoFunds(play: SeedScenario): Promise<void> {
  const { context } = play
  await context.at(1, '16:40')
  await context.turn('mt5', 'refuse', { retcode: 10017 })
  await openDemoAccount(play, 'piotr')
}

/** Jonas requests a large withdrawal. */
async function requestProofOfWealth(play: SeedScenario): Promise<void> {
  const { context, team } = play
  await context.at(1, '15:28')
  await context.call(requestSourceOfWealth, {
    as: await team.token('compliance'),
    params: { id: seededClientOf(play, 'jonas').id },
    body: { reason: 'You requested a large withdrawal. Please upload proof of the source of the money you deposited.' },
  })
}
