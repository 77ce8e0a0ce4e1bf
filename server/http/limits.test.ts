/**
 * How often one person, or one address, may make valid requests: each limit of docs/operations.md that the tests of its
 * feature do not reach by calling. The counter is set to the last but one; that call passes, and the next one does not.
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { changeTradingPassword, requestAnAccount, setNickname } from '#contract/accounts.ts'
import { cancelDeposit, mailWireDetails } from '#contract/deposits.ts'
import { documentsApproval } from '#contract/documents.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { reconcileNow } from '#contract/office/accounting.ts'
import { inviteClient, sendResetLink } from '#contract/office/client-decisions.ts'
import { verifyAudit } from '#contract/office/records.ts'
import { officeChangePassword, officeSecondFactor, openInvitation } from '#contract/office/session.ts'
import { newPassword } from '#contract/passwords.ts'
import { updateEmploymentIncome, updateTradingExperience } from '#contract/profile.ts'
import { row, run, sql, transaction } from '#server/db/sql.ts'
import { beginSession } from '#server/http/sessions.ts'
import { signToken } from '#server/http/tokens.ts'
import { call, goodPassword, makeAccount, makeStaff, type MadeAccount, type MadeStaff } from '#tests/factories.ts'
import { clientForFile, serverForFile } from '#tests/for-file.ts'
import { stepAnswers } from '#tests/registering.ts'

const server = serverForFile()
const client = clientForFile(server)
let account: MadeAccount
let administrator: MadeStaff
beforeAll(async () => {
  account = await makeAccount(server, client)
  administrator = await makeStaff(server, ['administrator'])
})

/** Makes a pending deposit of the client: a bank transfer, or one whose page is open at the provider. */
async function deposit(type: 'wire' | 'cc_gcen'): Promise<string> {
  const [id, now] = [randomUUID(), server.clock.now()]
  const card = type === 'cc_gcen'
  await run(
    server.dependencies.pool,
    sql`insert into deposits (id, client_id, account_id, type, method, gateway, amount_minor, currency, reference, state,
          card_type, provider, provider_id, wire_account, requested_at, expires_at)
        values (${id}, ${client.id}, ${account.id}, ${type}, 'Bank Transfer', 'bank', 100, 'EUR', ${id}, 'pending',
          ${card ? 1 : null}, ${card ? 'card' : null}, ${card ? id : null}, ${card ? null : '{}'}::jsonb, ${now}, ${now})`,
  )
  return id
}

/** Does the first step of a sign-in of staff. */
async function startStaffSignIn(): Promise<string> {
  const now = server.clock.now()
  const life = { idleSeconds: 300, lifeSeconds: 300, device: 'test', address: '127.0.0.1', proved: false }
  const sessionId = await transaction(server.dependencies.pool, (tx) =>
    beginSession(tx, { audience: 'office-ticket', staffId: administrator.id, ...life }, now),
  )
  return signToken(server.dependencies.keys, 'office-ticket', sessionId, {}, now)
}

interface Tried {
  readonly as?: { readonly token: string }
  readonly params?: Readonly<Record<string, string>>
  readonly body?: object
}

const answers = stepAnswers('')
const byClient = async (body: object) => ({ as: client, body })
const byStaff = async (body: object = {}) => ({ as: administrator, params: { id: client.id }, body })

test.each<[what: string, bucket: string, most: number, Endpoint, () => Promise<Tried>]>([
  [
    'requests for trading accounts',
    'accounts',
    20,
    requestAnAccount,
    () => byClient({ requestType: 'live', platform: 'MT5', accType: 'Standard', baseCurrency: 'EUR', leverage: 500 }),
  ],
  ['submissions of documents for approval', 'documents-approval', 30, documentsApproval, () => byClient({})],
  [
    'changes of trading passwords',
    'trading-password',
    20,
    changeTradingPassword,
    () => byClient({ accountId: account.id, password: 'weak' }),
  ],
  [
    'changes of nicknames',
    'own-changes',
    100,
    setNickname,
    () => byClient({ accountId: account.id, nickname: 'Savings' }),
  ],
  [
    'changes of employment and income',
    'own-changes',
    100,
    updateEmploymentIncome,
    () => byClient({ ...answers['2.5'], ...answers['2.6'] }),
  ],
  ['changes of trading experience', 'own-changes', 100, updateTradingExperience, () => byClient({ ...answers['3.1'] })],
  [
    'emails with bank transfer details',
    'wire-details',
    5,
    mailWireDetails,
    async () => ({ as: client, body: { id: await deposit('wire') } }),
  ],
  [
    'cancellations of payments',
    'close-payment',
    10,
    cancelDeposit,
    async () => ({ as: client, body: { id: await deposit('cc_gcen') } }),
  ],
  [
    'new passwords set by a link',
    'new-password',
    60,
    newPassword,
    async () => ({ body: { id: 'x', password: goodPassword } }),
  ],
  ['openings of staff invitations', 'office-link', 60, openInvitation, async () => ({ body: { id: 'x' } })],
  [
    'second-factor codes of staff',
    'office-factor',
    10,
    officeSecondFactor,
    async () => ({ body: { ticket: await startStaffSignIn(), code: '000000' } }),
  ],
  [
    'current passwords entered by staff',
    'office-prove',
    10,
    officeChangePassword,
    () => byStaff({ currentPassword: 'Not-this-one-12', password: 'Copper-meadow-9912' }),
  ],
  [
    'invitations of clients',
    'invitations',
    60,
    inviteClient,
    () => byStaff({ title: 'Dr.', name: 'A', surname: 'B', email: client.email, country: 'DE', language: 'en' }),
  ],
  ['reset links sent by staff', 'staff-reset', 5, sendResetLink, () => byStaff()],
  ['verifications of the audit log', 'verify-audit', 6, verifyAudit, () => byStaff()],
  ['reconciliations started by staff', 'reconcile', 2, reconcileNow, () => byStaff()],
])(
  '%s are counted, and those over the limit are rejected with 429 and Retry-After',
  async (_, bucket, most, endpoint, tried) => {
    const requestAgain = async () => {
      const { status, headers, json } = await call(server, endpoint, await tried())
      return { status, code: (json as { code?: string }).code, wait: Number(headers['retry-after'] ?? 0) }
    }
    expect((await requestAgain()).status).not.toBe(429)
    const last = sql`update rate_limits set count = ${most - 1} where bucket like ${`${bucket}:%`} returning bucket`
    expect(await row(server.dependencies.pool, last)).not.toBeNull()
    expect((await requestAgain()).status).not.toBe(429)
    const over = await requestAgain()
    expect([over.status, over.code, over.wait > 0]).toEqual([429, 'too-many', true])
    await run(server.dependencies.pool, sql`delete from rate_limits where bucket like ${`${bucket}:%`}`)
  },
)
