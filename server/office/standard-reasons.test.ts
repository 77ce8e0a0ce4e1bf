/** A standard reason is stored by its key and shown in the reader's language; other texts are stored as written. */
import { beforeAll, describe, expect, test } from 'vitest'
import { getLiveAccounts } from '#contract/accounts.ts'
import { getBankDetails } from '#contract/bank-details.ts'
import { getDocuments } from '#contract/documents.ts'
import { officeEndpoints } from '#contract/endpoints.ts'
import { getTransferHistory } from '#contract/history.ts'
import { evidenceBundle, searchAudit } from '#contract/office/records.ts'
import { exportList } from '#contract/office/list-export.ts'
import { rejectionReasons, standardReasons, type StandardReason } from '#contract/office/rejection-reasons.ts'
import { getProfessionalClientsApplication } from '#contract/professional-status.ts'
import { downloadMyData } from '#contract/profile.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Language } from '#rules/choices.ts'
import { row, run, sql, raw } from '#server/db/sql.ts'
import { renderMail, type MailKind } from '#server/mail/template-registry.ts'
import { letterheadOf } from '#server/mail/mail-operation.ts'
import { call, type MadeClient } from '#tests/factories.ts'
import { textsOfZip } from '#tests/files.ts'
import { platformForFile, staffForFile } from '#tests/for-file.ts'
import { makeContext, recordMakers, type TestContext } from '#tests/records.ts'
import { translate } from '../i18n/translate.ts'

const { server } = platformForFile()
let ground: TestContext
const administrator = staffForFile(server, ['administrator'])
beforeAll(async () => {
  ground = await makeContext(server)
})

interface Rejected {
  /** The state machine, its initial state, and the table and column of the reason. */
  readonly life: keyof typeof rejectionReasons
  readonly state: string
  readonly keeps: readonly [table: string, column: string]
  readonly reject: string
  /** The page for staff. */
  readonly page: string
  readonly list: string | null
}

const rejections: readonly Rejected[] = [
  {
    life: 'client',
    state: 'pending',
    keeps: ['clients', 'reason'],
    reject: 'rejectClient',
    page: 'getOfficeClient',
    list: null,
  },
  {
    life: 'document',
    state: 'pending_approval',
    keeps: ['documents', 'reason'],
    reject: 'rejectDocument',
    page: 'getDocumentCase',
    list: null,
  },
  {
    life: 'account',
    state: 'pending',
    keeps: ['trading_accounts', 'reason'],
    reject: 'rejectAccount',
    page: 'getAccountRequest',
    list: 'account-requests',
  },
  {
    life: 'leverage_request',
    state: 'pending',
    keeps: ['leverage_requests', 'reason'],
    reject: 'rejectLeverage',
    page: 'getLeverageRequest',
    list: 'leverage-requests',
  },
  {
    life: 'bank_details',
    state: 'pending',
    keeps: ['bank_details', 'reason'],
    reject: 'rejectBankDetails',
    page: 'getOfficeBankDetails',
    list: 'bank-details',
  },
  {
    life: 'deposit',
    state: 'pending',
    keeps: ['deposits', 'comment'],
    reject: 'rejectDeposit',
    page: 'getOfficeDeposit',
    list: 'deposits',
  },
  {
    life: 'bank_line',
    state: 'unmatched',
    keeps: ['bank_lines', 'reason'],
    reject: 'sendBackLine',
    page: 'getBankLine',
    list: 'bank-lines',
  },
  {
    life: 'withdrawal',
    state: 'pending',
    keeps: ['withdrawals', 'comment'],
    reject: 'rejectWithdrawal',
    page: 'getOfficeWithdrawal',
    list: 'withdrawals',
  },
  {
    life: 'transfer',
    state: 'pending',
    keeps: ['transfers', 'comment'],
    reject: 'rejectTransfer',
    page: 'getOfficeTransfer',
    list: 'transfers',
  },
  {
    life: 'professional',
    state: 'pending',
    keeps: ['professional_applications', 'reason'],
    reject: 'rejectProfessional',
    page: 'getProfessional',
    list: 'professional',
  },
  {
    life: 'profile_change',
    state: 'pending',
    keeps: ['profile_changes', 'reason'],
    reject: 'rejectProfileChange',
    page: 'getProfileChange',
    list: 'profile-changes',
  },
]

const officeEndpoint = (name: string): Endpoint => {
  const found = officeEndpoints.find((one) => one.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

/** Documents and bank transactions have one text, the others one for staff and one for the client (ADR 160). */
function textsOf(life: string, reason: string | undefined) {
  const single = life === 'document' || life === 'bank_line'
  return { version: 1, ...(single ? { reason } : { reason: 'Internal.', clientReason: reason }) }
}

async function rejected(one: Rejected, reason: string): Promise<string> {
  const { life, state, reject } = one
  const id = (await recordMakers[life]?.(ground, state, administrator, 'reject')) ?? ''
  const done = await call(server, officeEndpoint(reject), {
    as: administrator,
    params: { id },
    body: textsOf(one.life, reason),
  })
  expect(done.status).toBe(200)
  return id
}

/** Returns all responses that staff read of it in a language. */
async function readBy(one: Rejected, id: string, language: string, params = { id }): Promise<string> {
  const asked = { as: administrator, headers: { 'accept-language': language } }
  const page = await call(server, officeEndpoint(one.page), { ...asked, params })
  const audit = await call(server, searchAudit, { ...asked, query: { record: id } })
  const list =
    one.list && (await call(server, exportList, { ...asked, params: { list: one.list }, query: { state: 'all' } }))
  return [page, audit, ...(list ? [list] : [])].map(({ bytes }) => bytes.toString()).join('\n')
}

test.each([
  ['document', 'approved', 'askDocumentAgain', {}],
  ['professional', 'pending', 'askMoreProfessional', {}],
  ['professional', 'pending', 'approveProfessional', { accounts: [] }],
  ['professional', 'approved', 'reverseProfessional', {}],
  ['withdrawal', 'paid', 'returnWithdrawal', {}],
  ['bank_line', 'second_approval', 'rejectLine', {}],
] as const)('a %s in the state %s: the reason of %s is stored by its key', async (life, state, name, more) => {
  const id = (await recordMakers[life]?.(ground, state, administrator, name)) ?? ''
  const body = { version: 1, reason: standardReasons['document-blurred'].message, ...more }
  const done = await call(server, officeEndpoint(name), { as: administrator, params: { id }, body })
  expect(done.status).toBe(200)
  const event = await row<{ reason: string }>(
    server.dependencies.pool,
    sql`select reason from events where record = ${id} and reason is not null order by id desc limit 1`,
  )
  expect(event?.reason).toBe('ready:document-blurred')
})

test('every type with standard reasons is tested here', () => {
  expect(rejections.map(({ life }) => life).toSorted()).toEqual(Object.keys(rejectionReasons).toSorted())
})

describe.each(rejections)('$life', (one) => {
  const [ready] = rejectionReasons[one.life] ?? []
  if (!ready) throw new Error('no standard reason')

  test('stores a reason that is sent word for word by its key, in any language', async () => {
    for (const text of [ready.text.message, germanOf(ready)]) {
      const id = await rejected(one, text)
      const [table, column] = one.keeps
      const found = await row<{ kept: string; logged: string }>(
        server.dependencies.pool,
        sql`select t.${raw(column)} as kept, (select coalesce(d.details ->> 'clientReason', e.reason) from events e left join event_details d on d.event_id = e.id
                where e.record = ${id} order by e.id desc limit 1) as logged
            from ${raw(table)} t where t.id = ${id}`,
      )
      expect(found).toEqual({ kept: `ready:${ready.key}`, logged: `ready:${ready.key}` })
    }
  })

  test('shows it to staff in their own language, on every page and in every file', async () => {
    const id = await rejected(one, ready.text.message)
    const owner = one.life === 'document' ? await ownerOf(id) : id
    for (const [language, text] of [
      ['en', ready.text.message],
      ['de', germanOf(ready)],
    ] as const) {
      const read = await readBy(one, id, language, { id: owner })
      expect(read).toContain(text)
      expect(read).not.toContain('ready:')
    }
  })

  test('stores a reason that differs by a word as written', async () => {
    const reason = `${germanOf(ready)} Danke!`
    const id = await rejected(one, reason)
    const owner = one.life === 'document' ? await ownerOf(id) : id
    expect(await readBy(one, id, 'en', { id: owner })).toContain(reason)
  })
})

async function ownerOf(documentId: string): Promise<string> {
  const found = await row<{ id: string }>(
    server.dependencies.pool,
    sql`select client_id as id from documents where id = ${documentId}`,
  )
  return found?.id ?? ''
}

describe('the client', () => {
  let client: MadeClient
  beforeAll(async () => {
    const own = await makeContext(server)
    client = own.client
    for (const one of rejections.filter(({ life }) => ['account', 'bank_details', 'withdrawal'].includes(life))) {
      const id = (await recordMakers[one.life]?.(own, one.state, administrator, 'reject')) ?? ''
      const body = textsOf(one.life, rejectionReasons[one.life]?.[0]?.text.message)
      await call(server, officeEndpoint(one.reject), { as: administrator, params: { id }, body })
    }
    await moved('documents', 'document')
    await moved('professional_applications', 'professional')
  })

  /** Makes another client's rejected record this client's. */
  async function moved(table: string, life: 'document' | 'professional'): Promise<void> {
    const one = rejections.find((rejection) => rejection.life === life)
    if (!one) throw new Error('not rejected')
    const id = await rejected(one, rejectionReasons[life]?.[0]?.text.message ?? '')
    await run(server.dependencies.pool, sql`update ${raw(table)} set client_id = ${client.id} where id = ${id}`)
  }

  const readsOf = (language: string) => {
    const asked = { as: client, headers: { 'accept-language': language } }
    return {
      account: call(server, getLiveAccounts, { ...asked, params: { a: 'all', b: 'all' } }),
      bank_details: call(server, getBankDetails, { ...asked, params: { a: 'all', b: 'all' } }),
      withdrawal: call(server, getTransferHistory, asked),
      document: call(server, getDocuments, { ...asked, params: { id: client.id } }),
      professional: call(server, getProfessionalClientsApplication, asked),
    }
  }

  test.each(['en', 'de'] as const)('reads it in the portal in the current language: %s', async (language) => {
    for (const [life, reading] of Object.entries(readsOf(language))) {
      const text = (await reading).bytes.toString()
      expect(text, life).toContain(textIn(rejectionReasons[life as keyof typeof rejectionReasons]?.[0], language))
      expect(text, life).not.toContain('ready:')
    }
  })

  test.each(['en', 'de'] as const)(
    'gets it in emails and in the data download in the requested language: %s',
    async (language) => {
      const letterhead = await letterheadOf(server.dependencies, () => '')
      const mails: readonly [MailKind, object, keyof typeof rejectionReasons][] = [
        ['client-rejected', {}, 'client'],
        ['document-rejected', { document: 'passport' }, 'document'],
        ['bank-details-rejected', { bank: 'Example Bank', account: '2051' }, 'bank_details'],
        ['professional-rejected', {}, 'professional'],
      ]
      for (const [kind, facts, life] of mails) {
        const ready = rejectionReasons[life]?.[0]
        const drawn = renderMail(kind, { ...facts, reason: `ready:${ready?.key}` }, language, letterhead)
        expect(JSON.stringify(drawn), kind).toContain(textIn(ready, language))
      }
      const headers = { 'accept-language': language }
      const mine = await call(server, downloadMyData, { as: client, headers })
      const ofAdministrator = {
        as: administrator,
        params: { id: client.id },
        body: { reason: 'asked by court' },
        headers,
      }
      for (const { bytes } of [mine, await call(server, evidenceBundle, ofAdministrator)]) {
        const files = Object.entries(textsOfZip(bytes))
        expect(files.filter(([, text]) => text.includes('"ready:') || text.includes(',ready:'))).toEqual([])
        expect(files.map(([, text]) => text).join('\n')).toContain(textIn(rejectionReasons.document?.[0], language))
      }
    },
  )
})

test.each([
  ['en', 'We cannot accept your application.'],
  ['de', 'Wir können Ihren Antrag nicht annehmen.'],
] as const)(
  'the email states in %s that the application is rejected, whatever the reason is',
  async (language, sentence) => {
    const letterhead = await letterheadOf(server.dependencies, () => '')
    const { blocks } = renderMail('client-rejected', { reason: 'x' }, language, letterhead)
    expect(JSON.stringify(blocks)).toContain(sentence)
  },
)

test('the audit log can be searched for the text of a standard reason in any language', async () => {
  const one = rejections.find(({ life }) => life === 'profile_change')
  if (!one) throw new Error('not tried')
  const id = await rejected(one, rejectionReasons.profile_change?.[0]?.text.message ?? '')
  for (const q of ['shows the new value', 'die neue Angabe zeigt']) {
    const { rows } = (await call(server, searchAudit, { as: administrator, query: { q } })).answer
    expect(rows.map(({ record }) => record)).toContain(id)
  }
})

function textIn(reason: StandardReason | undefined, language: Language): string {
  return reason ? translate(reason.text, language) : 'no standard reason'
}

function germanOf(reason: StandardReason): string {
  return textIn(reason, 'de')
}
