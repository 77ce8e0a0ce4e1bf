/** Every role, action and state over HTTP: exactly the transitions of rules/ succeed (requirements 27.7). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { officeEndpoints } from '#contract/endpoints.ts'
import { getInboxItem } from '#contract/office/inbox.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { stateMachines } from '#rules/state-machine-registry.ts'
import { money } from '#rules/money.ts'
import { rolesFor } from '#rules/permissions.ts'
import { raw, row, run, sql, transaction } from '#server/db/sql.ts'
import { post } from '#server/ledger/post.ts'
import { openWorkItem } from '#server/db/work-items.ts'
import { allAcknowledged } from '../../tests/acknowledged.ts'
import { call, makeStaff, newReference, type MadeStaff } from '../../tests/factories.ts'
import { cardsForFile } from '../../tests/for-file.ts'
import { shownReleaseValues } from '../../tests/payout-batches.ts'
import { insertBankLine, makeContext, recordMakers, type TestContext } from '../../tests/records.ts'

/** Every decision of staff: the state machine, the action and the endpoint's name. */
const decisions: readonly (readonly [life: string, verb: string, name: string])[] = [
  ['client', 'approve', 'approveClient'],
  ['client', 'reject', 'rejectClient'],
  ['client', 'suspend', 'suspendClient'],
  ['client', 'reactivate', 'reactivateClient'],
  ['client', 'close', 'closeClient'],
  ['document', 'approve', 'approveDocument'],
  ['document', 'reject', 'rejectDocument'],
  ['document', 'askAgain', 'askDocumentAgain'],
  ['account', 'approve', 'approveAccount'],
  ['account', 'reject', 'rejectAccount'],
  ['leverage_request', 'approve', 'approveLeverage'],
  ['leverage_request', 'reject', 'rejectLeverage'],
  ['bank_details', 'approve', 'approveBankDetails'],
  ['bank_details', 'reject', 'rejectBankDetails'],
  ['deposit', 'match', 'matchDeposit'],
  ['deposit', 'reject', 'rejectDeposit'],
  ['deposit', 'credit', 'creditDeposit'],
  ['deposit', 'refund', 'refundDeposit'],
  ['bank_line', 'confirm', 'confirmLine'],
  ['bank_line', 'reject', 'rejectLine'],
  ['bank_line', 'sendBack', 'sendBackLine'],
  ['bank_line', 'proposeSettlement', 'proposeSettlement'],
  ['bank_line', 'confirmSettlement', 'confirmSettlement'],
  ['bank_line', 'rejectSettlement', 'rejectSettlement'],
  ['withdrawal', 'approve', 'approveWithdrawal'],
  ['withdrawal', 'approveLastBalance', 'approveLastBalance'],
  ['withdrawal', 'rejectLastBalance', 'rejectLastBalance'],
  ['withdrawal', 'confirm', 'confirmWithdrawal'],
  ['withdrawal', 'reject', 'rejectWithdrawal'],
  ['withdrawal', 'return', 'returnWithdrawal'],
  ['withdrawal', 'askReversal', 'askReversal'],
  ['withdrawal', 'dropReversal', 'dropReversal'],
  ['withdrawal', 'reverse', 'reverseWithdrawal'],
  ['payout_batch', 'release', 'releasePayoutBatch'],
  ['payout_batch', 'discard', 'discardPayoutBatch'],
  ['payout_batch', 'confirm', 'confirmPayoutBatch'],
  ['payout_batch', 'askVoid', 'askVoidPayoutBatch'],
  ['payout_batch', 'confirmVoid', 'confirmVoidPayoutBatch'],
  ['payout_batch', 'dropVoid', 'dropVoidPayoutBatch'],
  ['payout_batch', 'close', 'closePayoutBatch'],
  ['payout_stop', 'explain', 'explainPayoutStop'],
  ['payout_stop', 'lift', 'liftPayoutStop'],
  ['payout_stop', 'reopen', 'reopenPayoutStop'],
  ['transfer', 'approve', 'approveTransfer'],
  ['transfer', 'reject', 'rejectTransfer'],
  ['professional', 'approve', 'approveProfessional'],
  ['professional', 'reject', 'rejectProfessional'],
  ['professional', 'askMore', 'askMoreProfessional'],
  ['professional', 'reverse', 'reverseProfessional'],
  ['profile_change', 'approve', 'approveProfileChange'],
  ['profile_change', 'reject', 'rejectProfileChange'],
  ['enquiry', 'answer', 'answerEnquiry'],
  ['enquiry', 'close', 'closeEnquiry'],
  ['enquiry', 'conclude', 'concludeComplaint'],
  ['correction', 'approve', 'approveCorrection'],
  ['correction', 'reject', 'rejectCorrection'],
  ['firm_money', 'confirm', 'confirmFirmMoney'],
  ['firm_money', 'reject', 'rejectFirmMoney'],
  ['recovery_item', 'propose', 'proposeRecoveryItem'],
  ['recovery_item', 'confirm', 'confirmRecoveryItem'],
  ['recovery_item', 'drop', 'dropRecoveryItem'],
  ['difference', 'explain', 'explainDifference'],
  ['difference', 'propose', 'proposeDifference'],
  ['difference', 'confirm', 'confirmDifference'],
  ['difference', 'reject', 'rejectDifference'],
  ['setting_change', 'approve', 'approveSettingChange'],
  ['setting_change', 'reject', 'rejectSettingChange'],
  ['setting_change', 'cancel', 'cancelSettingChange'],
  ['staff_change', 'approve', 'approveStaffChange'],
  ['staff_change', 'reject', 'rejectStaffChange'],
  ['staff_change', 'cancel', 'cancelStaffChange'],
  ['factor_reset', 'approve', 'approveFactorReset'],
  ['factor_reset', 'reject', 'rejectFactorReset'],
  ['factor_reset', 'cancel', 'cancelFactorReset'],
  ['erasure', 'approve', 'approveErasure'],
  ['erasure', 'reject', 'rejectErasure'],
  ['erasure', 'cancel', 'cancelErasure'],
  ['staff', 'deactivate', 'deactivateStaff'],
  ['staff', 'inviteAgain', 'inviteStaffAgain'],
]

/** The columns in which records name their client, if not `client_id`. */
const ownerColumns: Readonly<Record<string, string>> = {
  client: 'r.id',
  factor_reset: 'r.id',
  erasure: 'r.id',
  correction: '(select a.client_id from trading_accounts a where a.id = r.account_id)',
}

const { server, cards } = cardsForFile()
let ground: TestContext
const staff = new Map<StaffRole, MadeStaff>()
beforeAll(async () => {
  ground = await makeContext(server)
  for (const role of staffRoles) staff.set(role, await makeStaff(server, [role]))
  // The card provider holds what the settlements pay out.
  await transaction(server.dependencies.pool, (tx) =>
    post(tx, server.clock.now(), { ref: randomUUID(), kind: 'card-arrival' }, [
      { account: { kind: 'provider', currency: 'EUR', name: 'card' }, minor: 1_000_000n },
      { account: { kind: 'arrived_unmatched', currency: 'EUR' }, minor: -1_000_000n },
    ]),
  )
})

/** Gives a deposit a payment that the card provider reports: only such a payment is refunded. */
async function payAtProvider(id: string): Promise<void> {
  const opened = await server.dependencies.cards?.createCheckout({
    ref: newReference(),
    amount: money(100n, 'EUR'),
    country: 'DE',
    returnUrl: 'http://localhost:3000/payments',
  })
  await cards.turn('act', { id: opened?.providerId, action: 'pay' })
  await run(server.dependencies.pool)`update deposits set provider_id = ${opened?.providerId} where id = ${id}`
}

async function bodyOf(name: string, id = ''): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = { version: 1 }
  const endpoint = officeEndpoints.find((one) => one.name === name)
  if (!endpoint) throw new Error(`there is no ${name}`)
  const takes = Object.keys((endpoint.body as { shape?: object }).shape ?? {})
  if (takes.includes('reason')) body['reason'] = 'every cell is tried'
  if (name === 'rejectLastBalance') body['clientReason'] = 'every cell is tried'
  if (takes.includes('acknowledged')) Object.assign(body, allAcknowledged)
  if (takes.includes('text')) body['text'] = 'every cell is tried'
  if (takes.includes('outcome')) body['outcome'] = 'upheld'
  if (takes.includes('action')) body['action'] = 'adopt'
  if (takes.includes('proposal')) body['proposal'] = 'explain'
  if (takes.includes('accounts')) body['accounts'] = []
  if (takes.includes('fee')) body['fee'] = '0.00'
  const finance = staff.get('finance')
  if (takes.includes('sha256') && finance)
    Object.assign(body, await shownReleaseValues(server, id, finance), { version: 1 })
  if (takes.includes('lineVersion'))
    Object.assign(body, { lineId: await insertBankLine(ground, 'unmatched'), lineVersion: 1 })
  return body
}

function decisionOf(lifeName: string, verb: string, name: string) {
  const machine = stateMachines.find((one) => one.name === lifeName)
  const endpoint = officeEndpoints.find((one) => one.name === name)
  const step = machine?.transitions[verb]
  if (!machine || !endpoint || !step) throw new Error(`${lifeName}.${verb} is not a decision`)
  return { life: machine, endpoint, step }
}

describe.each(decisions)('%s.%s', (lifeName, verb, name) => {
  const { life: machine, endpoint, step } = decisionOf(lifeName, verb, name)
  // An open one would stop the payouts of all later tests.
  afterAll(() => run(server.dependencies.pool, sql`update payout_stops set state = 'lifted' where state <> 'lifted'`))

  test.each(machine.states.flatMap((state) => staffRoles.map((role) => [state, role] as const)))(
    'from the state %s by the role %s',
    async (state, role) => {
      const as = staff.get(role)
      const make = recordMakers[lifeName]
      if (!as || !make) throw new Error('nothing makes such a record')
      const id = await make(ground, state, as, verb)
      if (name === 'refundDeposit' && state === 'uncredited') await payAtProvider(id)
      const { status, json } = await call(server, endpoint, { as, params: { id }, body: await bodyOf(name, id) })
      const { code } = json as { code?: string }
      if (!rolesFor(machine, verb).includes(role)) expect([status, code]).toEqual([403, 'wrong-role'])
      else if (!step.from.includes(state))
        expect([status, ['wrong-state', 'decided-meanwhile', 'decided-by'].includes(code ?? '')]).toEqual([409, true])
      else expect([status, code]).toEqual([200, undefined])
    },
  )
})

/** The endpoint of each record's page, and the field that contains the record. */
const pages: Readonly<Record<string, readonly [name: string, field: string]>> = {
  withdrawal: ['getOfficeWithdrawal', 'withdrawal'],
  bank_details: ['getOfficeBankDetails', 'bankDetails'],
  leverage_request: ['getLeverageRequest', 'request'],
  profile_change: ['getProfileChange', 'change'],
}

test.each([
  ['withdrawal', 'pending', 'approve', ['operations']],
  ['withdrawal', 'pending', 'approveLastBalance', ['compliance']],
  ['withdrawal', 'second_approval', 'confirm', ['finance']],
  ['bank_details', 'pending', 'approve', ['operations']],
  ['leverage_request', 'pending', 'approve', ['operations']],
  ['profile_change', 'pending', 'approve', ['compliance']],
] as const)(
  'the page and the preview of a %s in %s name the required roles for %s to a person without them',
  async (kind, state, verb, roles) => {
    const [auditor, administrator] = [staff.get('auditor'), staff.get('administrator')]
    const [name, field] = pages[kind] ?? []
    const endpoint = officeEndpoints.find((one) => one.name === name)
    const make = recordMakers[kind]
    if (!auditor || !administrator || !endpoint || !make || field === undefined)
      throw new Error('nothing shows such a record')
    const record = await make(ground, state, auditor, verb)
    const now = server.clock.now()
    await transaction(server.dependencies.pool, (tx) =>
      openWorkItem(tx, kind, record, now, { state, dueAt: now, clientId: ground.client.id, summary: {} }),
    )
    const shown = async (as: MadeStaff) => {
      const { json } = await call(server, endpoint, { as, params: { id: record } })
      const page = (json as Record<string, { requiredRoles: string[]; item: { id: string } }>)[field]
      if (!page) throw new Error('the record is not shown')
      const preview = (await call(server, getInboxItem, { as, params: { id: page.item.id } })).answer
      return { page: page.requiredRoles, preview: preview.roles }
    }
    expect(await shown(auditor)).toEqual({ page: roles, preview: roles })
    expect(await shown(administrator)).toEqual({ page: [], preview: [] })
  },
)

/** State machines without a client. */
const machinesWithoutClient = [
  'bank_line',
  'payout_batch',
  'payout_stop',
  'firm_money',
  'difference',
  'setting_change',
  'staff_change',
  'staff',
]
const selves = new Map<string, MadeStaff>()

test.each(decisions.filter(([life]) => !machinesWithoutClient.includes(life)))(
  '%s.%s is rejected for staff with the client’s own email address, administrators included (requirements 27.10)',
  async (lifeName, verb, name) => {
    const { life: machine, endpoint, step } = decisionOf(lifeName, verb, name)
    const make = recordMakers[lifeName]
    if (!make) throw new Error('nothing makes such a record')
    const id = await make(ground, step.from[0] ?? '', ground.colleague, verb)
    const owner = ownerColumns[lifeName] ?? 'r.client_id'
    const client = await row<{ email: string }>(
      server.dependencies.pool,
      sql`select c.email::text as email from ${raw(machine.table)} r join clients c on c.id = ${raw(owner)} where r.id = ${id}`,
    )
    const email = client?.email ?? ''
    const self = selves.get(email) ?? (await makeStaff(server, ['administrator'], { email }))
    selves.set(email, self)
    const reply = await call(server, endpoint, { as: self, params: { id }, body: await bodyOf(name) })
    expect([reply.status, reply.failure.code]).toEqual([403, 'own-request'])
  },
)

test('every staff action of every state machine is tested here', () => {
  const isStaff = (actor: string) => (staffRoles as readonly string[]).includes(actor)
  const all = stateMachines.flatMap((machine) =>
    Object.entries(machine.transitions)
      .filter(([, step]) => step.by.some(isStaff))
      .map(([verb]) => `${machine.name}.${verb}`),
  )
  // A bank transaction is matched by the deposit's action, becomes firm money by that of its transfer, and a returned
  // payout if another person returned its withdrawal (server/ledger/returned-payouts.test.ts); a staff member's own
  // first sign-in enrols. A withdrawal is paid by the confirmation of its batch, which follows the return of a payment.
  const elsewhere = [
    'bank_line.match',
    'bank_line.own',
    'bank_line.comeBack',
    // Decided together with the payout of a last balance (server/features/withdrawals/last-balance.test.ts).
    'bank_details.approveWithPayout',
    'bank_details.rejectWithPayout',
    'staff.enrol',
    'withdrawal.pay',
    'payout_batch.paymentReturned',
    // It would stop all later payouts (server/features/withdrawals/batches/payout-stops.test.ts).
    'payout_stop.recover',
  ]
  expect(decisions.map(([life, verb]) => `${life}.${verb}`).toSorted()).toEqual(
    all.filter((one) => !elsewhere.includes(one)).toSorted(),
  )
})
