import { beforeAll, describe, expect, test } from 'vitest'
import { confirmDifference, explainDifference, proposeDifference } from '#contract/office/accounting.ts'
import { getDecisionChecks, overrideCheck } from '#contract/office/checks.ts'
import { evidenceBundle } from '#contract/office/records.ts'
import { overridesReport, reportCsv } from '#contract/office/reports.ts'
import * as transfers from '#contract/office/transfers.ts'
import * as withdrawals from '#contract/office/withdrawals.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { isIban } from '#rules/bank-details.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { reservedOf } from '#server/ledger/reservations.ts'
import { allAcknowledged } from '../../../tests/acknowledged.ts'
import {
  creditDepositFrom,
  makePassingRequest,
  openChargeback,
  checkSituations,
  type CheckedKind,
  type MadeRequest,
} from '../../../tests/check-situations.ts'
import { platformForFile } from '../../../tests/for-file.ts'
import { settleOperations } from '../../../tests/funded-account.ts'
import { waitForBlockedConnections } from '../../../tests/lock-waits.ts'
import { call, makeStaff, applySetting, type MadeStaff } from '../../../tests/factories.ts'

const place = platformForFile()
const staff = new Map<StaffRole, MadeStaff>()
let second: MadeStaff
beforeAll(async () => {
  for (const role of staffRoles) staff.set(role, await makeStaff(place.server, [role]))
  second = await makeStaff(place.server, ['finance'], { name: 'Second Person' })
})

const staffWithRole = (role: StaffRole): MadeStaff => staff.get(role) ?? second

async function stateOf(kind: CheckedKind, id: string): Promise<{ state: string; version: number }> {
  const found = await row<{ state: string; version: number }>(
    place.server.dependencies.pool,
    kind === 'withdrawal'
      ? sql`select state, version from withdrawals where id = ${id}`
      : sql`select state, version from transfers where id = ${id}`,
  )
  if (!found) throw new Error('no such request')
  return found
}

async function approve(kind: CheckedKind, id: string, answers: object = {}, as = staffWithRole('operations')) {
  const { version } = await stateOf(kind, id)
  const endpoint = kind === 'withdrawal' ? withdrawals.approveWithdrawal : transfers.approveTransfer
  return call(place.server, endpoint, { as, params: { id }, body: { version, ...answers } })
}

/** Returns a valid German IBAN at the bank that ends in these four digits. */
function ibanEndingIn(ending: string, bank: string): string {
  const account = `${bank}053201${ending}`
  const checkDigits = Array.from({ length: 100 }, (_, digits) => String(digits).padStart(2, '0'))
  const iban = checkDigits.map((digits) => `DE${digits}${account}`).find((one) => isIban(one))
  if (iban === undefined) throw new Error('no IBAN')
  return iban
}

async function reject(kind: CheckedKind, id: string, as: MadeStaff) {
  const { version } = await stateOf(kind, id)
  const endpoint = kind === 'withdrawal' ? withdrawals.rejectWithdrawal : transfers.rejectTransfer
  return call(place.server, endpoint, { as, params: { id }, body: { version, reason: 'Not now.' } })
}

/** Returns the codes of the reasons why the page offers a person neither approval nor rejection. */
async function blockReasonsOf(kind: CheckedKind, id: string, as: MadeStaff) {
  const opened = { as, params: { id } }
  const { verbs } =
    kind === 'withdrawal'
      ? (await call(place.server, withdrawals.getOfficeWithdrawal, opened)).answer.withdrawal
      : (await call(place.server, transfers.getOfficeTransfer, opened)).answer.transfer
  return ['approve', 'reject'].map((action) => verbs.find(({ verb }) => verb === action)?.refusal?.code)
}

async function checksOf(kind: CheckedKind, id: string, as = staffWithRole('operations')) {
  if (kind === 'withdrawal')
    return (await call(place.server, withdrawals.getOfficeWithdrawal, { as, params: { id } })).answer.withdrawal
      .decisionChecks
  return (await call(place.server, transfers.getOfficeTransfer, { as, params: { id } })).answer.transfer.decisionChecks
}

/** Returns a request's operation on the platform as its page shows it. */
async function debitOf(kind: CheckedKind, id: string) {
  const as = staffWithRole('operations')
  if (kind === 'withdrawal')
    return (await call(place.server, withdrawals.getOfficeWithdrawal, { as, params: { id } })).answer.withdrawal
      .operation
  return (await call(place.server, transfers.getOfficeTransfer, { as, params: { id } })).answer.transfer.legs[0]
}

async function checkOf(kind: CheckedKind, id: string, name: string, as?: MadeStaff) {
  const found = (await checksOf(kind, id, as)).find((one) => one.name === name)
  if (!found) throw new Error(`the page has no ${name}`)
  return found
}

async function override(kind: CheckedKind, id: string, name: string, as: MadeStaff) {
  const { digest } = await checkOf(kind, id, name)
  const body = { kind, id, check: name, digest, reason: 'Seen with the client on the phone.' }
  return call(place.server, overrideCheck, { as, body })
}

/** Expects the request to be unchanged, with its amount reserved. */
async function expectUntouched(kind: CheckedKind, { id, account }: MadeRequest): Promise<void> {
  expect((await stateOf(kind, id)).state).toBe('pending')
  expect(await reservedOf(place.server.dependencies.pool, account.id)).toBe(5_000n)
}

const cases = checkSituations.flatMap((one) => one.kinds.map((kind) => ({ ...one, kind })))

test.each(['withdrawal', 'transfer'] as const)(
  'a rejected %s shows no checks or balances any more and accepts no override',
  async (kind) => {
    const made = await makePassingRequest(place, kind)
    await checkSituations
      .find((one) => one.check === 'payments-on-hold')
      ?.make(place, made, staffWithRole('compliance'))
    await checkSituations.find((one) => one.check === 'discrepancy')?.make(place, made, staffWithRole('compliance'))
    const { digest } = await checkOf(kind, made.id, 'discrepancy')
    const endpoint = kind === 'withdrawal' ? withdrawals.rejectWithdrawal : transfers.rejectTransfer
    const { version } = await stateOf(kind, made.id)
    const rejecting = {
      as: staffWithRole('operations'),
      params: { id: made.id },
      body: { version, reason: 'Not now.' },
    }
    expect((await call(place.server, endpoint, rejecting)).status).toBe(200)
    expect(await checksOf(kind, made.id)).toEqual([])
    const query = { kind, id: made.id }
    expect(
      (await call(place.server, getDecisionChecks, { as: staffWithRole('finance'), query })).answer.checks,
    ).toEqual([])
    const body = { ...query, check: 'discrepancy', digest, reason: 'Explained by the bank.' }
    const refused = await call(place.server, overrideCheck, { as: staffWithRole('finance'), body })
    expect([refused.status, refused.failure.code]).toEqual([409, 'decided-meanwhile'])
    expect(refused.failure.error).toContain('Rejected')
    // The page shows no balances, because today's are not those of the decision.
    const opened = { as: staffWithRole('operations'), params: { id: made.id } }
    if (kind === 'withdrawal') {
      const { withdrawal } = (await call(place.server, withdrawals.getOfficeWithdrawal, opened)).answer
      expect(withdrawal.money).toBeNull()
      return
    }
    const { transfer } = (await call(place.server, transfers.getOfficeTransfer, opened)).answer
    const { source, destination, setAsideElsewhere, freeAfter } = transfer
    const shown = [source.balance, source.freeMargin, destination.balance, setAsideElsewhere, freeAfter]
    expect(shown.map(({ amount, at }) => [amount, at])).toEqual(shown.map(() => [null, null]))
  },
)

test.each(withdrawalMachine.states)(
  'a withdrawal in state %s has checks only while a check can still block a transition',
  async (state) => {
    const made = await makePassingRequest(place, 'withdrawal')
    await run(place.server.dependencies.pool, sql`update withdrawals set state = ${state} where id = ${made.id}`)
    const isOpen = ['pending', 'second_approval', 'processing', 'approved'].includes(state)
    expect((await checksOf('withdrawal', made.id)).length > 0).toBe(isOpen)
  },
)

test.each(['withdrawal', 'transfer'] as const)(
  'a %s that passes every check is approved without an acknowledgement',
  async (kind) => {
    const made = await makePassingRequest(place, kind)
    const checks = await checksOf(kind, made.id)
    expect(checks.filter(({ result }) => result !== 'pass').map(({ name }) => name)).toEqual(
      kind === 'withdrawal' ? ['screening'] : [],
    )
    expect((await approve(kind, made.id)).answer.state).toBe('processing')
  },
)

test('the check of deposit origins names payment methods in the reader’s language', async () => {
  const made = await makePassingRequest(place, 'withdrawal')
  await checkSituations.find((one) => one.check === 'closed-loop')?.make(place, made, staffWithRole('compliance'))
  const shown = async (language: string) => {
    const opened = {
      as: staffWithRole('operations'),
      params: { id: made.id },
      headers: { 'accept-language': language },
    }
    const { withdrawal } = (await call(place.server, withdrawals.getOfficeWithdrawal, opened)).answer
    const origin = withdrawal.decisionChecks.find(({ name }) => name === 'closed-loop')
    return [origin?.text, origin?.facts.map(({ name }) => name)]
  }
  expect(await shown('en')).toEqual([
    expect.stringContaining('was deposited from elsewhere: Credit/Debit Card.'),
    ['Deposited from this account', 'Credit/Debit Card'],
  ])
  expect(await shown('de')).toEqual([
    expect.stringContaining('Kredit-/Debitkarte.'),
    ['Von diesem Konto eingezahlt', 'Kredit-/Debitkarte'],
  ])
  await approve('withdrawal', made.id, allAcknowledged)
  const kept = await row<{ values: unknown; facts: string[] }>(
    place.server.dependencies.pool,
    sql`select one -> 'values' -> 'origin' as values,
        array(select fact ->> 'name' from json_array_elements(one -> 'facts') fact) as facts
      from events e join event_details d on d.event_id = e.id, json_array_elements(d.details -> 'checks') one
      where e.record = ${made.id} and e.verb = 'approve' and one ->> 'name' = 'closed-loop'`,
  )
  expect(kept).toEqual({
    values: { list: [{ method: 'Credit/Debit Card' }] },
    facts: ['here', 'method Credit/Debit Card'],
  })
})

test('the check of deposit origins distinguishes bank accounts with the same last four characters', async () => {
  const { pool } = place.server.dependencies
  const made = await makePassingRequest(place, 'withdrawal')
  const target = await row<{ number: string }>(
    pool,
    sql`select b.iban as number from withdrawals w join bank_details b on b.id = w.bank_id where w.id = ${made.id}`,
  )
  const ending = target?.number.slice(-4) ?? ''
  const ibans = [ibanEndingIn(ending, '37040044'), ibanEndingIn(ending, '50010517')]
  for (const iban of ibans) await creditDepositFrom(place, made, iban)
  for (const as of [staffWithRole('operations'), staffWithRole('auditor')]) {
    const shown = await call(place.server, withdrawals.getOfficeWithdrawal, { as, params: { id: made.id } })
    const { text, facts } = shown.answer.withdrawal.decisionChecks.find(({ name }) => name === 'closed-loop') ?? {}
    const names = ibans.map((iban) => `${iban.slice(0, 4)} •••• ${ending}`)
    expect(
      facts
        ?.slice(1)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted())
    for (const name of names) expect(text).toContain(name)
  }
})

describe.each(cases)('$kind with check $check ($result)', (situation) => {
  const { kind, check, result } = situation
  let made: MadeRequest
  let end: (() => Promise<void>) | undefined
  async function bring(): Promise<MadeRequest> {
    made = await makePassingRequest(place, kind)
    end = (await situation.make(place, made, staffWithRole('compliance'))) ?? undefined
    return made
  }
  const over = async () => {
    await end?.()
    end = undefined
  }

  test('is not approved without an acknowledgement: the response lists every check and nothing changes', async () => {
    const { id } = await bring()
    try {
      expect(await checkOf(kind, id, check)).toMatchObject({ result })
      const refused = await approve(kind, id)
      const code = result === 'warn' ? 'checks-changed' : 'checks-block'
      expect([refused.status, refused.failure.code]).toEqual([409, code])
      const { checks } = refused.json as { checks: { name: string; result: string; text: string }[] }
      expect(checks.find(({ name }) => name === check)?.result).toBe(result)
      await expectUntouched(kind, made)
    } finally {
      await over()
    }
  })

  test(`${result === 'warn' ? 'is' : 'is not'} approved when acknowledged with a reason`, async () => {
    const { id } = await bring()
    try {
      if (result === 'warn') {
        const silent = await approve(kind, id, { ...allAcknowledged, note: ' ' })
        expect([silent.status, silent.failure.code]).toEqual([400, 'reason-required'])
      }
      const reply = await approve(kind, id, allAcknowledged)
      expect(reply.status).toBe(result === 'warn' ? 200 : 409)
      if (result === 'block') await expectUntouched(kind, made)
    } finally {
      await over()
    }
  })

  if (result === 'block')
    test.each(staffRoles)('is overridden by %s only if the check permits that role', async (role) => {
      const { id } = await bring()
      try {
        const reply = await override(kind, id, check, staffWithRole(role))
        const mayCall = ['compliance', 'finance', 'administrator'].includes(role)
        const may = situation.override !== null && [situation.override, 'administrator'].includes(role)
        if (!mayCall) expect(reply.failure.code).toBe('wrong-role')
        else if (situation.override === null) expect(reply.failure.code).toBe('override-not-allowed')
        else if (!may) expect([reply.status, reply.failure.code]).toEqual([403, 'wrong-role'])
        else {
          expect(reply.answer.checks.find(({ name }) => name === check)?.overridden?.reason).toContain('phone')
          // A person who has overridden a check cannot decide on the request, whatever the role.
          if (role === 'administrator') {
            const own = await approve(kind, id, allAcknowledged, staffWithRole(role))
            expect([own.status, own.failure.code]).toEqual([403, 'own-override'])
            const rejected = await reject(kind, id, staffWithRole(role))
            expect([rejected.status, rejected.failure.code]).toEqual([403, 'own-override'])
            expect(await blockReasonsOf(kind, id, staffWithRole(role))).toEqual(['own-override', 'own-override'])
          }
          expect((await approve(kind, id, allAcknowledged)).status).toBe(200)
        }
      } finally {
        await over()
      }
    })

  test('can always be rejected, which releases its reservation', async () => {
    const { id } = await bring()
    try {
      expect((await reject(kind, id, staffWithRole('operations'))).status).toBe(200)
      expect(await reservedOf(place.server.dependencies.pool, made.account.id)).toBe(0n)
    } finally {
      await over()
    }
  })
})

describe('an override', () => {
  const olsen = (made: MadeRequest, name: string) =>
    run(place.server.dependencies.pool, sql`update bank_details set holder_name = ${name} where id = ${made.bankId}`)

  test('applies only to the exact facts for which it was given', async () => {
    const made = await makePassingRequest(place, 'withdrawal')
    await olsen(made, 'Peter Olsen')
    expect((await override('withdrawal', made.id, 'account-holder', staffWithRole('compliance'))).status).toBe(200)
    await olsen(made, 'Peter Larsen')
    const refused = await approve('withdrawal', made.id, allAcknowledged)
    expect([refused.failure.code, refused.failure.values['check']]).toEqual(['checks-block', 'Account holder'])
    await olsen(made, 'Peter Olsen')
    expect((await approve('withdrawal', made.id, allAcknowledged)).status).toBe(200)
  })

  test('is rejected with the current facts if they have changed since the page was loaded', async () => {
    const made = await makePassingRequest(place, 'withdrawal')
    await olsen(made, 'Peter Olsen')
    const { digest } = await checkOf('withdrawal', made.id, 'account-holder')
    await olsen(made, 'Peter Larsen')
    const body = { kind: 'withdrawal', id: made.id, check: 'account-holder', digest, reason: 'It is his brother.' }
    const reply = await call(place.server, overrideCheck, { as: staffWithRole('compliance'), body })
    expect([reply.status, reply.failure.code]).toEqual([409, 'checks-changed'])
    expect(JSON.stringify(reply.json)).toContain('Peter Larsen')
  })

  test('is not available to the first approver, nor for a check that does not block', async () => {
    const made = await makePassingRequest(place, 'withdrawal')
    const thresholds = await place.server.dependencies.settings.get('thresholds')
    await applySetting(place.server, 'thresholds', { ...thresholds, EUR: 1_000n })
    try {
      const first = await makeStaff(place.server, ['operations', 'finance', 'compliance'])
      expect((await approve('withdrawal', made.id, {}, first)).answer.state).toBe('second_approval')
      await olsen(made, 'Peter Olsen')
      expect((await checkOf('withdrawal', made.id, 'account-holder', first)).overrideRefusal).toContain('approved')
      expect((await override('withdrawal', made.id, 'account-holder', first)).failure.code).toBe('override-own')
      expect((await override('withdrawal', made.id, 'chargeback', second)).failure.code).toBe('check-not-blocking')
      expect((await override('withdrawal', made.id, 'account-holder', staffWithRole('compliance'))).status).toBe(200)
    } finally {
      await applySetting(place.server, 'thresholds', thresholds)
    }
  })

  test('is an audit event with its check and reason, and appears in the evidence bundle and the report', async () => {
    const made = await makePassingRequest(place, 'withdrawal')
    await olsen(made, 'Peter Olsen')
    await override('withdrawal', made.id, 'account-holder', staffWithRole('compliance'))
    await approve('withdrawal', made.id, allAcknowledged)
    const found = await rows<{
      verb: string
      actor: string
      reason: string
      checks: { name: string; result: string }[]
    }>(
      place.server.dependencies.pool,
      sql`select e.verb, e.actor_id as actor, e.reason, d.details -> 'checks' as checks
          from events e join event_details d on d.event_id = e.id
          where e.kind = 'withdrawal' and e.record = ${made.id} and e.verb in ('overrideCheck', 'approve') order by e.id`,
    )
    expect(found[0]).toMatchObject({
      verb: 'overrideCheck',
      actor: staffWithRole('compliance').id,
      reason: 'Seen with the client on the phone.',
      checks: [
        { name: 'account-holder', result: 'block', facts: [{ name: 'holder', value: { text: 'Peter Olsen' } }, {}] },
      ],
    })
    expect(found[1]?.checks).toHaveLength(15)
    expect(found[1]?.checks.find(({ name }) => name === 'account-holder')).toMatchObject({
      override: { staff: staffWithRole('compliance').id },
    })
    const bundle = await call(place.server, evidenceBundle, {
      as: staffWithRole('compliance'),
      params: { id: made.client.id },
      body: { reason: 'asked by the regulator' },
    })
    expect(bundle.bytes.includes('checks.json')).toBe(true)
    expect(bundle.bytes.includes('check-overrides.json')).toBe(true)
    const today = place.server.clock.now().toISOString().slice(0, 10)
    const query = { from: today, to: today }
    const { rows: listed } = (await call(place.server, overridesReport, { as: staffWithRole('auditor'), query })).answer
    expect(listed.find((one) => one.record === made.id)).toMatchObject({
      staff: { id: staffWithRole('compliance').id },
      check: 'Account holder',
      reason: 'Seen with the client on the phone.',
    })
    const csv = await call(place.server, reportCsv, {
      as: staffWithRole('auditor'),
      params: { report: 'overrides' },
      query,
    })
    expect(csv.bytes.toString()).toMatch(/Account holder,Seen with the client on the phone.,[1-9]\d*,0\n/)
    // The report of the next day compares with today even though that day has no overrides.
    const tomorrow = new Date(place.server.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
    const after = { as: staffWithRole('auditor'), query: { from: tomorrow, to: tomorrow } }
    const compared = (await call(place.server, overridesReport, after)).answer
    expect([compared.before, compared.rows]).toEqual([query, []])
    const holder = listed.filter(({ check }) => check === 'Account holder').length
    expect(compared.checks).toContainEqual({ check: 'Account holder', count: 0, before: holder })
    const params = { report: 'overrides' }
    const file = await call(place.server, reportCsv, { ...after, params, headers: { 'accept-language': 'de' } })
    expect(file.bytes.toString()).toContain(`,,,,,,Kontoinhaber,,0,${holder}\n`)
  })
})

describe('checks over the life of a request', () => {
  async function secondApproval(): Promise<MadeRequest> {
    const made = await makePassingRequest(place, 'withdrawal')
    const thresholds = await place.server.dependencies.settings.get('thresholds')
    await applySetting(place.server, 'thresholds', { ...thresholds, EUR: 1_000n })
    expect((await approve('withdrawal', made.id)).answer.state).toBe('second_approval')
    await applySetting(place.server, 'thresholds', thresholds)
    return made
  }
  const confirm = async (id: string, answers = {}) =>
    call(place.server, withdrawals.confirmWithdrawal, {
      as: second,
      params: { id },
      body: { version: (await stateOf('withdrawal', id)).version, ...answers },
    })
  const setState = (made: MadeRequest, state: string) =>
    run(place.server.dependencies.pool, sql`update clients set state = ${state} where id = ${made.client.id}`)
  const dealsOf = async ({ account }: MadeRequest) =>
    (await place.platform.read<unknown[]>(`deals?login=${account.login}&action=2`)).length

  test('a withdrawal of a suspended client cannot receive its second approval', async () => {
    const made = await secondApproval()
    await setState(made, 'suspended')
    const refused = await confirm(made.id, allAcknowledged)
    expect([refused.failure.code, refused.failure.values['check']]).toEqual(['checks-block', 'Client status'])
    expect(refused.failure.error).toContain('Compliance reactivates the client first.')
    expect((await stateOf('withdrawal', made.id)).state).toBe('second_approval')
  })

  test('a client suspended after the approval is debited only after reactivation', async () => {
    const made = await makePassingRequest(place, 'withdrawal')
    await approve('withdrawal', made.id)
    await setState(made, 'suspended')
    await settleOperations(place.server)
    expect([(await stateOf('withdrawal', made.id)).state, await dealsOf(made)]).toEqual(['processing', 1])
    expect(await checkOf('withdrawal', made.id, 'client-status')).toMatchObject({ result: 'block' })
    const items = () =>
      rows<{ state: string }>(
        place.server.dependencies.pool,
        sql`select state from work_items where record = ${made.id} and closed_at is null`,
      )
    expect(await items()).toEqual([{ state: 'processing' }])
    await setState(made, 'approved')
    place.server.clock.turn(15)
    await settleOperations(place.server)
    expect([(await stateOf('withdrawal', made.id)).state, await dealsOf(made)]).toEqual(['approved', 2])
    expect(await items()).toEqual([{ state: 'approved' }])
  })

  test.each(['withdrawal', 'transfer'] as const)(
    'a %s whose debit is held back can be rejected, which releases its reservation',
    async (kind) => {
      const made = await makePassingRequest(place, kind)
      await approve(kind, made.id)
      await setState(made, 'suspended')
      await settleOperations(place.server)
      // The reason is shown as a check, not as the error of an attempt.
      expect(await debitOf(kind, made.id)).toMatchObject({ state: 'waiting', lastError: null })
      const endpoint = kind === 'withdrawal' ? withdrawals.rejectWithdrawal : transfers.rejectTransfer
      const { version } = await stateOf(kind, made.id)
      const body = { version, reason: 'We cannot process this.' }
      expect(
        (await call(place.server, endpoint, { as: staffWithRole('operations'), params: { id: made.id }, body })).status,
      ).toBe(200)
      await setState(made, 'approved')
      place.server.clock.turn(60)
      await settleOperations(place.server)
      expect([(await stateOf(kind, made.id)).state, await dealsOf(made)]).toEqual(['rejected', 1])
      expect(await reservedOf(place.server.dependencies.pool, made.account.id)).toBe(0n)
      // The debit was never sent to the platform, so the page shows no response of the platform.
      if (kind === 'transfer') expect(await debitOf(kind, made.id)).toBeUndefined()
    },
  )

  test('a transfer whose debit is done has no checks any more, and accepts no override once the debit is sent', async () => {
    const made = await makePassingRequest(place, 'transfer')
    const discrepancy = checkSituations.find(({ check }) => check === 'discrepancy')
    const { pool } = place.server.dependencies
    await approve('transfer', made.id)
    await discrepancy?.make(place, made, staffWithRole('compliance'))
    await settleOperations(place.server)
    const query = { kind: 'transfer' as const, id: made.id }
    const { digest, mayOverride } = await checkOf('transfer', made.id, 'discrepancy', staffWithRole('finance'))
    expect(mayOverride).toBe(true)
    const overriding = () => {
      const body = { ...query, check: 'discrepancy', digest, reason: 'Explained by the bank.' }
      return call(place.server, overrideCheck, { as: staffWithRole('finance'), body })
    }
    // The debit is sent while the override waits for the lock.
    const late = await transaction(pool, async (tx) => {
      await run(tx, sql`select 1 from transfers where id = ${made.id} for update`)
      const reply = overriding()
      await waitForBlockedConnections(pool)
      await run(tx, sql`update operations set state = 'sending' where record = ${made.id}`)
      return { reply }
    })
    expect((await late.reply).failure.code).toBe('debit-sent')
    await run(pool, sql`update operations set state = 'waiting' where record = ${made.id}`)
    expect((await checksOf('transfer', made.id)).length).toBeGreaterThan(0)

    await run(pool, sql`update differences set state = 'gone' where account_id = ${made.account.id}`)
    const destination = await row<{ login: string }>(
      pool,
      sql`select a.login from transfers t join trading_accounts a on a.id = t.destination_account where t.id = ${made.id}`,
    )
    await place.platform.turn('drop-before', { login: destination?.login })
    place.server.clock.turn(15)
    await settleOperations(place.server)
    await discrepancy?.make(place, made, staffWithRole('compliance'))
    const { transfer } = (await call(place.server, transfers.getOfficeTransfer, { as: second, params: query })).answer
    expect([transfer.state, transfer.legs.map(({ leg, state }) => [leg, state])]).toEqual([
      'processing',
      [
        ['withdraw', 'done'],
        ['deposit', 'unknown'],
      ],
    ])
    expect(transfer.decisionChecks).toEqual([])
    expect(
      (await call(place.server, getDecisionChecks, { as: staffWithRole('finance'), query })).answer.checks,
    ).toEqual([])
    const refused = await overriding()
    expect([refused.status, refused.failure.code]).toEqual([409, 'debit-made'])
  })

  test.each([
    ['charged_back', 'Chargeback reported by the card provider'],
    ['chargeback-announced', 'Chargeback announced by the payer’s bank'],
  ] as const)('a %s blocks until one person proposes an explanation and a second confirms it', async (kind, label) => {
    const made = await makePassingRequest(place, 'withdrawal')
    await openChargeback(kind)(place, made, staffWithRole('compliance'))
    const found = await row<{ id: string; reference: string }>(
      place.server.dependencies.pool,
      sql`select f.id, d.reference from differences f join deposits d on d.id = f.record
          where d.client_id = ${made.client.id}`,
    )
    const { facts, wayOut } = await checkOf('withdrawal', made.id, 'chargeback')
    expect(facts.map(({ name, value }) => [name, value])).toEqual([
      [label, expect.any(String)],
      ['Deposit charged back', found?.reference],
      ['Amount charged back', '50.00\u00A0EUR'],
    ])
    expect(wayOut).toContain('a second person in finance overrides the block')
    const params = { id: found?.id ?? '' }
    const as = staffWithRole('finance')
    const body = { version: 1, reason: 'The bank was wrong.' }
    const explained = await call(place.server, explainDifference, { as, params, body })
    expect(explained.failure.code).toBe('two-people-decide')
    const proposing = { as, params, body: { ...body, proposal: 'explain' as const } }
    expect((await call(place.server, proposeDifference, proposing)).status).toBe(200)
    const confirmBy = (who: MadeStaff) =>
      call(place.server, confirmDifference, { as: who, params, body: { version: body.version + 1 } })
    expect((await confirmBy(as)).failure.code).toBe('own-act')
    expect(await checkOf('withdrawal', made.id, 'chargeback')).toMatchObject({ result: 'block' })
    expect((await confirmBy(second)).status).toBe(200)
    expect(await checkOf('withdrawal', made.id, 'chargeback')).toMatchObject({ result: 'pass' })
  })

  test('a withdrawal whose debit was sent to the platform cannot be rejected', async () => {
    const made = await makePassingRequest(place, 'withdrawal')
    await place.platform.turn('drop-before', { login: made.account.login })
    await approve('withdrawal', made.id)
    await settleOperations(place.server)
    const { version } = await stateOf('withdrawal', made.id)
    const body = { version, reason: 'We cannot process this.' }
    const options = { as: staffWithRole('operations'), params: { id: made.id }, body }
    expect((await call(place.server, withdrawals.rejectWithdrawal, options)).failure.code).toBe('debit-sent')
  })

  test('a withdrawal whose debit the platform deferred can be rejected while a check stops the next attempt', async () => {
    const made = await makePassingRequest(place, 'withdrawal')
    const tooFrequent = 12
    await place.platform.turn('refuse', { retcode: tooFrequent, login: made.account.login, count: 1 })
    await approve('withdrawal', made.id)
    await place.server.driver.sweep()
    await run(place.server.dependencies.pool, sql`update clients set state = 'suspended' where id = ${made.client.id}`)
    await settleOperations(place.server)
    const { version } = await stateOf('withdrawal', made.id)
    const body = { version, reason: 'We cannot process this.' }
    const options = { as: staffWithRole('operations'), params: { id: made.id }, body }
    expect((await call(place.server, withdrawals.rejectWithdrawal, options)).status).toBe(200)
    expect(await reservedOf(place.server.dependencies.pool, made.account.id)).toBe(0n)
  })

  test('an open source-of-wealth request is shown and blocks the second approval of a withdrawal', async () => {
    const made = await secondApproval()
    await run(
      place.server.dependencies.pool,
      sql`update clients set source_of_wealth_asked_at = ${place.server.clock.now()} where id = ${made.client.id}`,
    )
    const shown = await checkOf('withdrawal', made.id, 'documents-requested')
    expect(shown).toMatchObject({
      result: 'block',
      overrideBy: 'compliance',
      text: expect.stringContaining('source of wealth'),
    })
    expect((await confirm(made.id, allAcknowledged)).failure.code).toBe('checks-block')
  })

  test('an open source-of-wealth request does not block a transfer below the threshold', async () => {
    const made = await makePassingRequest(place, 'transfer')
    await run(
      place.server.dependencies.pool,
      sql`update clients set source_of_wealth_asked_at = ${place.server.clock.now()} where id = ${made.client.id}`,
    )
    expect(await checkOf('transfer', made.id, 'documents-requested')).toMatchObject({
      result: 'pass',
      text: expect.stringContaining('This applies to transfers of'),
    })
    expect((await approve('transfer', made.id)).status).toBe(200)
  })

  test('blocks without a response of the platform advise trying again when it responds', async () => {
    const made = await makePassingRequest(place, 'withdrawal')
    const silent = checkSituations.find((one) => one.check === 'balances')
    const undo = await silent?.make(place, made, staffWithRole('compliance'))
    for (const name of ['balances', 'available'])
      expect(await checkOf('withdrawal', made.id, name)).toMatchObject({
        text: 'This could not be read: the trading platform did not respond.',
        wayOut: 'Try again when the platform responds. This block cannot be overridden.',
      })
    await undo?.()
  })

  test('an approval uses balances no older than a minute, however long its page was open', async () => {
    const made = await makePassingRequest(place, 'withdrawal')
    await checksOf('withdrawal', made.id)
    await place.platform.turn('market/open', { login: made.account.login, profit: '-960.00', notional: '0' })
    place.server.clock.turn(59)
    expect((await approve('withdrawal', made.id)).status).toBe(200)
    const other = await makePassingRequest(place, 'withdrawal')
    await checksOf('withdrawal', other.id)
    await place.platform.turn('market/open', { login: other.account.login, profit: '-960.00', notional: '0' })
    place.server.clock.turn(61)
    const refused = await approve('withdrawal', other.id)
    expect([refused.failure.code, refused.failure.values['check']]).toEqual(['checks-block', 'Available amount'])
  })

  test('opening the page of a request refreshes the balances', async () => {
    const made = await makePassingRequest(place, 'withdrawal')
    await place.platform.turn('market/open', { login: made.account.login, profit: '-960.00', notional: '0' })
    place.server.clock.turn(20)
    expect(await checkOf('withdrawal', made.id, 'available')).toMatchObject({ result: 'block' })
  })
})
