/**
 * A new email address for a client who cannot be reached: requested by staff, approved by another person, confirmed by
 * its link.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { checkSecurityAnswer, closeClient, sendResetLink } from '#contract/office/client-decisions.ts'
import { getOfficeClient } from '#contract/office/clients.ts'
import { listInbox } from '#contract/office/inbox.ts'
import {
  approveProfileChange,
  requestEmailChange,
  getProfileChange,
  rejectProfileChange,
} from '#contract/office/profile-changes.ts'
import { newPassword } from '#contract/passwords.ts'
import { downloadMyData, profile } from '#contract/profile.ts'
import { confirmEmail, currentUser, login } from '#contract/users-session.ts'
import { run, sql, transaction } from '#server/db/sql.ts'
import { normalizeSecurityAnswer, hashPassword } from '#server/auth/password-hash.ts'
import { serverForFile } from '#tests/for-file.ts'
import { waitForBlockedConnections } from '#tests/lock-waits.ts'
import { mailsTo, oneTimeIdIn } from '#tests/mails.ts'
import { call, goodPassword, makeClient, makeStaff, type MadeClient, type MadeStaff } from '#tests/factories.ts'
import { textsOfZip } from '#tests/files.ts'
import { newEmail } from '#tests/registering.ts'

const server = serverForFile()
let requester: MadeStaff
let decider: MadeStaff
// Signs in again, because a test may advance the clock.
beforeEach(async () => {
  requester = await makeStaff(server, ['compliance'], { name: 'Ines Albrecht' })
  decider = await makeStaff(server, ['administrator'], { name: 'Ruth Calder' })
})

const reason = 'The mailbox is gone; called back under the number that we have.'

const requestChangeOf = (client: MadeClient, email: string, as = requester) =>
  call(server, requestEmailChange, { as, params: { id: client.id }, body: { email, reason } })
const approve = (id: string, as = decider) =>
  call(server, approveProfileChange, { as, params: { id }, body: { version: 1 } })
const reject = (id: string, version: number, as = decider) =>
  call(server, rejectProfileChange, { as, params: { id }, body: { version, reason: 'The caller hung up.' } })
const pageOf = async (id: string, as = decider) =>
  (await call(server, getProfileChange, { as, params: { id } })).answer.change
const confirm = (id: string) => call(server, confirmEmail, { params: { '*': `change/${id}` } })
const linkTo = (email: string) => oneTimeIdIn(server, email, 'confirm-new-email')
const kindsTo = async (email: string) => (await mailsTo(server, email)).map(({ kind }) => kind)
const logIn = (email: string) => call(server, login, { body: { email, password: goodPassword } })

/** Makes a client whose new address has been approved and not yet confirmed by its link. */
async function makeApprovedChange(): Promise<{ client: MadeClient; email: string; id: string }> {
  const client = await makeClient(server)
  const email = newEmail()
  const { id } = (await requestChangeOf(client, email)).answer
  expect((await approve(id)).answer.state).toBe('confirming')
  return { client, email, id }
}

describe('requesting another email address for a client', () => {
  test('is for compliance or an administrator, not for oneself, with a reason and one address at a time', async () => {
    const client = await makeClient(server)
    for (const role of ['operations', 'finance', 'auditor'] as const)
      expect((await requestChangeOf(client, newEmail(), await makeStaff(server, [role]))).status, role).toBe(403)
    const own = await makeStaff(server, ['compliance'], { email: client.email })
    expect((await requestChangeOf(client, newEmail(), own)).failure.code).toBe('own-request')
    expect((await requestChangeOf(client, requester.email)).failure.code).toBe('own-request')
    const params = { id: client.id }
    const without = { email: newEmail(), reason: ' ' }
    expect((await call(server, requestEmailChange, { as: requester, params, body: without })).failure.code).toBe(
      'reason-required',
    )
    expect((await requestChangeOf(client, 'no-address')).failure.errors).toHaveProperty('email')
    expect((await requestChangeOf(client, client.email.toUpperCase())).failure.code).toBe('value-unchanged')
    expect((await requestChangeOf(client, (await makeClient(server)).email)).failure.code).toBe('client-known')
    expect((await requestChangeOf(client, newEmail())).status).toBe(201)
    expect((await requestChangeOf(client, newEmail())).failure.code).toBe('email-change-waits')
  })

  test('requires a right security answer recorded by the same person if the client has a question', async () => {
    const client = await makeClient(server)
    const hash = await hashPassword(normalizeSecurityAnswer('Lindenhof'))
    await run(
      server.dependencies.pool,
      sql`update clients set security_question = 'first-school', security_answer_hash = ${hash} where id = ${client.id}`,
    )
    const hear = (as: MadeStaff) =>
      call(server, checkSecurityAnswer, { as, params: { id: client.id }, body: { answer: 'lindenhof' } })
    await hear(decider)
    expect((await requestChangeOf(client, newEmail())).failure.code).toBe('answer-first')
    await hear(requester)
    expect((await requestChangeOf(client, newEmail())).status).toBe(201)
  })

  test('notifies the old address immediately and is shown to the client and compliance; nothing has changed yet', async () => {
    const client = await makeClient(server)
    const email = newEmail()
    const { id } = (await requestChangeOf(client, email)).answer
    expect(await kindsTo(client.email)).toEqual(['email-change-asked'])
    expect(await kindsTo(email)).toEqual([])
    const { pending, user } = (await call(server, profile, { as: client })).answer
    expect(pending).toEqual([{ field: 'email', to: email, since: expect.any(Date) as Date }])
    expect(user.email).toBe(client.email)
    const { items } = (await call(server, listInbox, { as: decider, query: { kind: 'profile_change' } })).answer
    expect(items.some(({ record }) => record === id)).toBe(true)
    expect(await pageOf(id)).toMatchObject({
      field: 'email',
      from: client.email,
      to: email,
      askedBy: { id: requester.id, name: 'Ines Albrecht' },
      askedReason: reason,
    })
    expect((await pageOf(id, requester)).verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe('own-act')
    const shown = (await call(server, getOfficeClient, { as: decider, params: { id: client.id } })).answer.client
    expect(shown.profile.find(({ field }) => field === 'email')?.pending).toMatchObject({ id, to: email })
  })
})

describe('an approved email address', () => {
  test('takes effect by its link: sessions end, old links are void and both addresses are notified', async () => {
    const client = await makeClient(server)
    const email = newEmail()
    const { id } = (await requestChangeOf(client, email)).answer
    expect((await approve(id, requester)).failure.code).toBe('own-act')
    expect((await approve(id)).answer.state).toBe('confirming')
    expect((await pageOf(id)).item).toBeNull()
    await call(server, sendResetLink, { as: decider, params: { id: client.id } })
    const reset = await oneTimeIdIn(server, client.email, 'password-reset')
    expect((await call(server, currentUser, { as: client })).answer.user.email).toBe(client.email)

    expect((await confirm(await linkTo(email))).answer).toMatchObject({ autologin: false, token: null })
    expect((await call(server, currentUser, { as: client })).status).toBe(401)
    expect((await logIn(client.email)).status).toBe(401)
    expect((await logIn(email)).answer.token).toEqual(expect.any(String))
    const body = { id: reset, password: `${goodPassword}-2` }
    expect((await call(server, newPassword, { body })).failure.code).toBe('link-used')
    expect(await kindsTo(client.email)).toContain('email-changed')
    expect(await kindsTo(email)).toContain('profile-change-approved')
    expect((await pageOf(id)).state).toBe('approved')
    const shown = (await call(server, getOfficeClient, { as: decider, params: { id: client.id } })).answer.client
    expect(shown.profile.find(({ field }) => field === 'email')).toMatchObject({
      value: email,
      previous: { value: client.email },
      pending: null,
    })
  })

  test('receives the emails that have not been sent yet; links and notices of the change stay with the old address', async () => {
    const client = await makeClient(server)
    for (const state of ['waiting', 'sending', 'refused']) {
      const { id } = (await requestChangeOf(client, newEmail())).answer
      await reject(id, 1)
      await run(
        server.dependencies.pool,
        sql`update operations set state = ${state}, settled_at = ${state === 'refused' ? server.clock.now() : null}
          where record = ${id} and payload ->> 'kind' = 'profile-change-rejected'`,
      )
    }
    const email = newEmail()
    await approve((await requestChangeOf(client, email)).answer.id)
    await call(server, sendResetLink, { as: decider, params: { id: client.id } })
    await confirm(await linkTo(email))
    const rejected = 'profile-change-rejected'
    expect(await kindsTo(email)).toEqual([rejected, rejected, rejected, 'confirm-new-email', 'profile-change-approved'])
    const asked = 'email-change-asked'
    expect(await kindsTo(client.email)).toEqual([asked, asked, asked, asked, 'password-reset', 'email-changed'])
  })

  test('takes effect once with several simultaneous uses of its link, which get the same response', async () => {
    const { email, id } = await makeApprovedChange()
    const link = await linkTo(email)
    const answers = await Promise.all([confirm(link), confirm(link), confirm(link)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await kindsTo(email)).filter((kind) => kind === 'profile-change-approved')).toHaveLength(1)
    expect((await pageOf(id)).state).toBe('approved')
  })

  test('does not take effect if a registration with this address is confirmed at the same moment', async () => {
    const { client, email } = await makeApprovedChange()
    const link = await linkTo(email)
    const underWay: ReturnType<typeof confirm>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(
        tx,
        sql`insert into clients (email, title, name, surname, country, password_changed_at, created_at)
            values (${email}, 'Mr.', 'Jonas', 'Reuter', 'DE', ${server.clock.now()}, ${server.clock.now()})`,
      )
      underWay.push(confirm(link))
      await waitForBlockedConnections(server.dependencies.pool)
    })
    expect((await Promise.all(underWay)).map(({ failure }) => failure.code)).toEqual(['email-taken'])
    expect((await logIn(client.email)).answer.token).toEqual(expect.any(String))
  })

  test('does not take effect if a client has the address by then, or if the link has expired or has another purpose', async () => {
    const { client, email } = await makeApprovedChange()
    const link = await linkTo(email)
    expect((await call(server, confirmEmail, { params: { '*': link } })).status).toBe(404)
    expect((await confirm('nothing')).status).toBe(404)
    await makeClient(server, { email })
    expect((await confirm(link)).failure.code).toBe('email-taken')
    const taken = newEmail()
    const { id } = (await requestChangeOf(await makeClient(server), taken)).answer
    await makeClient(server, { email: taken })
    expect((await pageOf(id)).verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe('client-known')
    expect((await approve(id)).failure.code).toBe('client-known')
    expect((await logIn(client.email)).answer.token).toEqual(expect.any(String))
    const late = await makeApprovedChange()
    const lateLink = await linkTo(late.email)
    server.clock.turn(24 * 3600)
    expect((await confirm(lateLink)).failure.code).toBe('link-expired')
  })

  test('is a pending request until its link has expired: only then is the client closed', async () => {
    const { client } = await makeApprovedChange()
    const body = { version: 1, reason: 'as agreed' }
    const close = async () => {
      const as = await makeStaff(server, ['compliance'])
      return call(server, closeClient, { as, params: { id: client.id }, body })
    }
    expect((await close()).failure.code).toBe('requests-open')
    server.clock.turn(24 * 3600)
    expect((await close()).answer.state).toBe('closed')
  })

  test('whose link has expired is replaced by the next request, and only the new address can be confirmed', async () => {
    const { client, id } = await makeApprovedChange()
    expect((await requestChangeOf(client, newEmail())).failure.code).toBe('email-change-waits')
    server.clock.turn(24 * 3600)
    requester = await makeStaff(server, ['compliance'])
    decider = await makeStaff(server, ['administrator'])
    const email = newEmail()
    const next = (await requestChangeOf(client, email)).answer.id
    expect((await pageOf(id)).state).toBe('replaced')
    expect((await approve(next)).answer.state).toBe('confirming')
    expect((await confirm(await linkTo(email))).status).toBe(200)
    expect((await pageOf(next)).state).toBe('approved')
    expect((await logIn(email)).answer.token).toEqual(expect.any(String))
  })

  test('can still be rejected: the old address stays, the link is void and a new request is possible', async () => {
    const { client, email, id } = await makeApprovedChange()
    const link = await linkTo(email)
    expect((await reject(id, 2)).answer.state).toBe('rejected')
    expect((await confirm(link)).failure.code).toBe('link-used')
    expect(await kindsTo(client.email)).toContain('profile-change-rejected')
    const again = (await requestChangeOf(client, email)).answer.id
    // The person who requested it cancels it by the same action.
    expect((await reject(again, 1, requester)).answer.state).toBe('rejected')
    expect((await logIn(client.email)).answer.token).toEqual(expect.any(String))
  })

  test('is in the client’s data download without the requesting staff and their notes', async () => {
    const { client, email } = await makeApprovedChange()
    const { bytes } = await call(server, downloadMyData, { as: client })
    const entry = textsOfZip(bytes)['profile-changes.json']
    expect(entry).toContain(email)
    for (const kept of [reason, requester.id, decider.id]) expect(entry).not.toContain(kept)
  })
})
