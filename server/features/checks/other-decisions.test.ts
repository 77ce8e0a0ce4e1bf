/**
 * The checks of decisions other than those on withdrawals and transfers, for every combination of kind, result, role
 * and acknowledgement (requirements 19).
 */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { approveAccount, rejectAccount } from '#contract/office/account-requests.ts'
import { approveBankDetails, rejectBankDetails } from '#contract/office/bank-details.ts'
import { approveCorrection, rejectCorrection } from '#contract/office/accounting.ts'
import { getDecisionChecks, overrideCheck } from '#contract/office/checks.ts'
import { approveClient, rejectClient, suspendClient } from '#contract/office/client-decisions.ts'
import { rejectDeposit } from '#contract/office/deposits.ts'
import { matchDeposit, matchLine, sendBackLine } from '#contract/office/bank-lines.ts'
import { approveLeverage, rejectLeverage } from '#contract/office/leverage-requests.ts'
import { downloadMyData } from '#contract/profile.ts'
import { evidenceBundle } from '#contract/office/records.ts'
import { overridesReport } from '#contract/office/reports.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { raw, row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { allAcknowledged } from '#tests/acknowledged.ts'
import {
  decisionKinds,
  decisionSituations,
  makePassingDecision,
  type DecisionKind,
  type MadeDecision,
  signInFromSameDevice,
} from '#tests/decision-situations.ts'
import { makeJpeg } from '#tests/files.ts'
import { call, makeStaff, type MadeStaff } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { waitForBlockedConnections } from '#tests/lock-waits.ts'
import { overrideBlock } from '#tests/overrides.ts'

interface DecisionEndpoint {
  readonly table: string
  readonly by: StaffRole
  readonly decide: Endpoint
  readonly reject: Endpoint
}

const decisionEndpoints: Readonly<Record<DecisionKind, DecisionEndpoint>> = {
  match: { table: 'bank_lines', by: 'operations', decide: matchLine, reject: rejectDeposit },
  return: { table: 'bank_lines', by: 'finance', decide: sendBackLine, reject: matchLine },
  client: { table: 'clients', by: 'compliance', decide: approveClient, reject: rejectClient },
  account: { table: 'trading_accounts', by: 'operations', decide: approveAccount, reject: rejectAccount },
  leverage_request: { table: 'leverage_requests', by: 'operations', decide: approveLeverage, reject: rejectLeverage },
  bank_details: { table: 'bank_details', by: 'operations', decide: approveBankDetails, reject: rejectBankDetails },
  correction: { table: 'corrections', by: 'finance', decide: approveCorrection, reject: rejectCorrection },
}

const place = platformForFile()
const staff = new Map<StaffRole, MadeStaff>()
/** Staff who decide and never override. */
const deciders = new Map<StaffRole, MadeStaff>()
beforeAll(async () => {
  for (const role of staffRoles) {
    staff.set(role, await makeStaff(place.server, [role]))
    deciders.set(role, await makeStaff(place.server, [role]))
  }
})

const staffOfRole = (all: ReadonlyMap<StaffRole, MadeStaff>, role: StaffRole): MadeStaff => {
  const found = all.get(role)
  if (!found) throw new Error(`no member of staff is ${role}`)
  return found
}

/** Returns the request's parameters for the checks; for a match, with the client of the deposit. */
function requestOf(kind: DecisionKind, { id, client }: MadeDecision): Record<string, string> {
  if (kind === 'match') return { kind: 'bank_line', id, client: client.id }
  return { kind: kind === 'return' ? 'bank_line' : kind, id }
}

async function stateOf(kind: DecisionKind, id: string): Promise<{ state: string; version: number }> {
  const { table } = decisionEndpoints[kind]
  const found = await row<{ state: string; version: number }>(
    place.server.dependencies.pool,
    sql`select state, version from ${raw(table)} where id = ${id}`,
  )
  if (!found) throw new Error('no such request')
  return found
}

async function decide(kind: DecisionKind, made: MadeDecision, answers: object = {}, as?: MadeStaff) {
  const { by, decide: endpoint } = decisionEndpoints[kind]
  const { version } = await stateOf(kind, made.id)
  const body = {
    version,
    ...(kind === 'return' ? { reason: 'The payer is unknown.' } : answers),
    ...(kind === 'match' ? { depositId: made.depositId } : {}),
  }
  return call(place.server, endpoint, { as: as ?? staffOfRole(deciders, by), params: { id: made.id }, body })
}

async function checksOf(kind: DecisionKind, made: MadeDecision) {
  const as = staffOfRole(deciders, decisionEndpoints[kind].by)
  return (await call(place.server, getDecisionChecks, { as, query: requestOf(kind, made) })).answer.checks
}

const letter = { filename: 'letter.jpg', content: (await makeJpeg(80)).toString('base64') }

async function override(
  kind: DecisionKind,
  made: MadeDecision,
  name: string,
  as: MadeStaff,
  proof: object = { proof: letter },
) {
  const found = (await checksOf(kind, made)).find((one) => one.name === name)
  const body = {
    ...requestOf(kind, made),
    check: name,
    digest: found?.digest,
    reason: 'Seen with the client.',
    ...(name === 'payer' ? proof : {}),
  }
  return call(place.server, overrideCheck, { as, body })
}

const cases = decisionSituations.flatMap((one) => one.kinds.map((kind) => ({ ...one, kind })))

test.each(decisionKinds)('a decision of kind %s that passes every check needs no acknowledgement', async (kind) => {
  const made = await makePassingDecision(place, kind)
  const checks = await checksOf(kind, made)
  expect(checks.filter(({ result }) => result !== 'pass').map(({ name }) => name)).toEqual(
    ['client', 'bank_details', 'return'].includes(kind) ? ['screening'] : [],
  )
  const before = await stateOf(kind, made.id)
  expect((await decide(kind, made)).status).toBe(200)
  expect((await stateOf(kind, made.id)).state).not.toBe(before.state)
  expect(await checksOf(kind, made)).toEqual([])
  const event = await row<{ checks: { name: string; result: string }[] }>(
    place.server.dependencies.pool,
    sql`select d.details -> 'checks' as checks from events e join event_details d on d.event_id = e.id
        where e.record = ${made.id} and e.from_state = ${before.state}`,
  )
  expect(event?.checks.map(({ name }) => name)).toEqual(checks.map(({ name }) => name))
})

test('a device shared with another client is shown, but is not a warning on its own', async () => {
  const made = await makePassingDecision(place, 'client')
  await signInFromSameDevice(place, made)
  const found = (await checksOf('client', made)).find(({ name }) => name === 'same-elsewhere')
  expect(found).toMatchObject({ result: 'pass' })
  expect(JSON.stringify(found)).toContain('Clients with the same device')
  expect((await decide('client', made)).status).toBe(200)
})

describe.each(cases)('$kind with check $check ($result, $what)', (situation) => {
  const { kind, check, result } = situation
  let made: MadeDecision
  let end: (() => Promise<void>) | undefined
  async function bring(): Promise<MadeDecision> {
    made = await makePassingDecision(place, kind)
    end = (await situation.make(place, made)) ?? undefined
    return made
  }
  const over = async () => {
    await end?.()
    end = undefined
  }
  test('is not carried out without an acknowledgement: the response lists every check and nothing changes', async () => {
    await bring()
    try {
      const before = await stateOf(kind, made.id)
      expect((await checksOf(kind, made)).find(({ name }) => name === check)).toMatchObject({ result })
      const refused = await decide(kind, made)
      const code = result === 'warn' ? 'checks-changed' : 'checks-block'
      expect([refused.status, refused.failure.code]).toEqual([409, code])
      const { checks } = refused.json as { checks: { name: string; result: string }[] }
      expect(checks.find(({ name }) => name === check)?.result).toBe(result)
      expect(await stateOf(kind, made.id)).toEqual(before)
    } finally {
      await over()
    }
  })

  test(`${result === 'warn' ? 'is' : 'is not'} carried out when acknowledged with a reason`, async () => {
    await bring()
    try {
      const before = await stateOf(kind, made.id)
      if (result === 'warn') {
        const silent = await decide(kind, made, { ...allAcknowledged, note: ' ' })
        expect([silent.status, silent.failure.code]).toEqual([400, 'reason-required'])
      }
      expect((await decide(kind, made, allAcknowledged)).status).toBe(result === 'warn' ? 200 : 409)
      if (result === 'block') expect(await stateOf(kind, made.id)).toEqual(before)
    } finally {
      await over()
    }
  })

  if (result === 'block')
    test.each(staffRoles)('is overridden by %s only if the check permits that role', async (role) => {
      await bring()
      try {
        const reply = await override(kind, made, check, staffOfRole(staff, role))
        const may = situation.override !== null && [situation.override, 'administrator'].includes(role)
        if (!['compliance', 'finance', 'administrator'].includes(role)) expect(reply.failure.code).toBe('wrong-role')
        else if (situation.override === null) expect(reply.failure.code).toBe('override-not-allowed')
        else if (!may) expect([reply.status, reply.failure.code]).toEqual([403, 'wrong-role'])
        else {
          expect(reply.answer.checks.find(({ name }) => name === check)?.overridden?.reason).toContain('client')
          if (role === 'administrator') {
            const own = await decide(kind, made, allAcknowledged, staffOfRole(staff, role))
            expect([own.status, own.failure.code]).toEqual([403, 'own-override'])
          }
          expect((await decide(kind, made, allAcknowledged)).status).toBe(200)
        }
      } finally {
        await over()
      }
    })

  if (kind !== 'return')
    test('can always be rejected', async () => {
      await bring()
      try {
        const id = kind === 'match' ? (made.depositId ?? '') : made.id
        const { by, reject } = decisionEndpoints[kind]
        const { version } = kind === 'match' ? { version: 1 } : await stateOf(kind, id)
        const options = { as: staffOfRole(deciders, by), params: { id }, body: { version, reason: 'Not now.' } }
        expect((await call(place.server, reject, options)).status).toBe(200)
      } finally {
        await over()
      }
    })
})

test('matching on the deposit’s page runs the same checks as matching on the bank transaction’s page', async () => {
  const made = await makePassingDecision(place, 'match')
  await decisionSituations.find(({ what }) => what === 'far')?.make(place, made)
  const body = { version: 1, lineId: made.id, lineVersion: 1, ...allAcknowledged }
  const options = { as: staffOfRole(deciders, 'operations'), params: { id: made.depositId ?? '' }, body }
  const refused = await call(place.server, matchDeposit, options)
  expect([refused.failure.code, refused.failure.values['check']]).toEqual(['checks-block', 'Payer'])
  await override('match', made, 'payer', staffOfRole(staff, 'finance'))
  expect((await call(place.server, matchDeposit, options)).status).toBe(200)
})

test('the person who confirmed a bank transaction cannot override its payer check', async () => {
  const made = await makePassingDecision(place, 'match')
  await decisionSituations.find(({ what }) => what === 'far')?.make(place, made)
  const confirmer = staffOfRole(staff, 'finance')
  await run(
    place.server.dependencies.pool,
    sql`update bank_lines set confirmed_by = ${confirmer.id} where id = ${made.id}`,
  )
  expect((await override('match', made, 'payer', confirmer)).failure.code).toBe('override-own')
})

test('the person who imported a bank transaction cannot override its payer check', async () => {
  const made = await makePassingDecision(place, 'match')
  await decisionSituations.find(({ what }) => what === 'far')?.make(place, made)
  const importer = await makeStaff(place.server, ['operations', 'finance'])
  await run(
    place.server.dependencies.pool,
    sql`with imported as (
        insert into statement_imports (sha256, name, bank_account, lines, added, imported_by, imported_at)
          values (${Buffer.from(made.id)}, 'statement.csv', 'DE', 1, 1, ${importer.id}, ${place.server.clock.now()}) returning id)
      update bank_lines set import_id = imported.id from imported where bank_lines.id = ${made.id}`,
  )
  expect((await override('match', made, 'payer', importer)).failure.code).toBe('override-own')
  expect((await override('match', made, 'payer', staffOfRole(staff, 'finance'))).status).toBe(200)
})

test('an override at a client’s approval blocks that person’s decision on it, but not a later decision on the client', async () => {
  const made = await makePassingDecision(place, 'client')
  const as = staffOfRole(staff, 'administrator')
  await overrideBlock(place.server.dependencies.pool, as, 'client', made.id)
  const by = async (endpoint: Endpoint, body: object, id: string = made.id) =>
    call(place.server, endpoint, {
      as,
      params: { id },
      body: { version: (await stateOf('client', id)).version, ...body },
    })
  for (const id of [made.id, made.id.toUpperCase()]) {
    const rejected = await by(rejectClient, { reason: 'Not now.' }, id)
    expect([rejected.status, rejected.failure.code]).toEqual([403, 'own-override'])
  }
  expect((await decide('client', made, allAcknowledged)).status).toBe(200)
  expect((await by(suspendClient, { reason: 'A letter of the police.', clientReason: null })).status).toBe(200)
})

test('a rejection that waits for the row lock fails if the same person has overridden a check meanwhile', async () => {
  const made = await makePassingDecision(place, 'client')
  const as = staffOfRole(staff, 'administrator')
  const { pool } = place.server.dependencies
  const { version } = await stateOf('client', made.id)
  const rejecting = await transaction(pool, async (tx) => {
    await run(tx, sql`select from clients where id = ${made.id} for update`)
    const options = { as, params: { id: made.id }, body: { version, reason: 'Not now.' } }
    const answer = call(place.server, rejectClient, options)
    await waitForBlockedConnections(pool)
    await overrideBlock(tx, as, 'client', made.id)
    return { answer }
  })
  const rejected = await rejecting.answer
  expect([rejected.status, rejected.failure.code]).toEqual([403, 'own-override'])
})

test('an override for matching a payment to one client does not apply to another client', async () => {
  const made = await makePassingDecision(place, 'match')
  const other = await makePassingDecision(place, 'match')
  await decisionSituations.find(({ what }) => what === 'far')?.make(place, made)
  await override('match', made, 'payer', staffOfRole(staff, 'finance'))
  const refused = await decide(
    'match',
    { ...made, ...(other.depositId ? { depositId: other.depositId } : {}) },
    allAcknowledged,
  )
  expect(refused.failure.code).toBe('checks-block')
  expect((await decide('match', made, allAcknowledged)).status).toBe(200)
})

test('an override of a match is listed in the overrides report and in the client’s evidence bundle', async () => {
  const made = await makePassingDecision(place, 'match')
  await decisionSituations.find(({ what }) => what === 'far')?.make(place, made)
  await override('match', made, 'payer', staffOfRole(staff, 'finance'))
  await decide('match', made, allAcknowledged)
  const today = place.server.clock.now().toISOString().slice(0, 10)
  const asked = { as: staffOfRole(staff, 'auditor'), query: { from: today, to: today } }
  const { rows: listed } = (await call(place.server, overridesReport, asked)).answer
  expect(listed.find(({ record }) => record === made.id)).toMatchObject({ check: 'Payer' })
  const bundle = await call(place.server, evidenceBundle, {
    as: staffOfRole(staff, 'compliance'),
    params: { id: made.client.id },
    body: { reason: 'asked by the regulator' },
  })
  expect(bundle.bytes.includes('checks.json')).toBe(true)
  const kept = await rows(
    place.server.dependencies.pool,
    sql`select 1 from events where record = ${made.id} and verb in ('overrideCheck', 'match')`,
  )
  expect(kept).toHaveLength(2)
})

const stored = {
  numbers: sql`iban = null, swift = null, bank_country = 'GB', sort_code = '601613', account_number = '31926819'`,
  iban: sql`iban = 'GB29NWBK60161331926819'`,
}
test.each([
  ['an IBAN', 'GB29NWBK60161331926819', 'numbers'],
  ['sort code and account number', '60-16-1331926819', 'numbers'],
  ['sort code and account number, and the client gave the IBAN', '60161331926819', 'iban'],
] as const)('a return to a British payer on hold is blocked if the statement shows %s', async (_form, account, as) => {
  const made = await makePassingDecision(place, 'return')
  const { pool } = place.server.dependencies
  await run(pool, sql`update bank_details set ${stored[as]} where client_id = ${made.client.id}`)
  await run(pool, sql`update bank_lines set payer_account = ${account} where id = ${made.id}`)
  await decisionSituations.find(({ what }) => what === 'on hold')?.make(place, made)
  expect((await decide('return', made)).failure.code).toBe('checks-block')
})

test.each(staffRoles)('%s can read the checks of a correction only if the role may read corrections', async (role) => {
  const made = await makePassingDecision(place, 'correction')
  const asked = { as: staffOfRole(staff, role), query: requestOf('correction', made) }
  const reply = await call(place.server, getDecisionChecks, asked)
  if (['finance', 'administrator', 'auditor'].includes(role)) expect(reply.status).toBe(200)
  else expect([reply.status, reply.failure.code]).toEqual([403, 'wrong-role'])
})

test('a third-party payer is overridden only with a file as proof, which the client’s data export does not contain', async () => {
  const made = await makePassingDecision(place, 'match')
  await decisionSituations.find(({ what }) => what === 'far')?.make(place, made)
  const by = staffOfRole(staff, 'finance')
  expect((await override('match', made, 'payer', by, {})).failure.code).toBe('proof-required')
  const text = { proof: { filename: 'letter.txt', content: Buffer.from('I am his wife.').toString('base64') } }
  expect((await override('match', made, 'payer', by, text)).failure.code).toBe('file-kind')
  const given = (await override('match', made, 'payer', by)).answer.checks.find(({ name }) => name === 'payer')
  expect(given?.overridden?.proof?.filename).toBe('letter.jpg')
  const data = await call(place.server, downloadMyData, { as: made.client })
  expect(data.bytes.includes('letter')).toBe(false)
})
