/** Compliance answers an access request and marks which of the texts by staff are handed out (requirements 24.59). */
import { expect, test } from 'vitest'
import * as contract from '#contract/office/access-requests.ts'
import { writeNote } from '#contract/office/client-decisions.ts'
import { listInbox, snoozeItem, writeComment } from '#contract/office/inbox.ts'
import { searchAudit } from '#contract/office/records.ts'
import { writeEnquiry } from '#contract/enquiries.ts'
import { downloadMyData } from '#contract/profile.ts'
import { call, makeClient, makeStaff, type MadeClient } from '#tests/factories.ts'
import { textsOfZip } from '#tests/files.ts'
import { serverForFile, staffForFile } from '#tests/for-file.ts'

const server = serverForFile()
const officer = staffForFile(server, ['compliance'], { name: 'Ines Albrecht' })

const enquiry = { topic: 'other', text: 'Which data do you keep?', complaint: false, reference: '' } as const

/** Makes a client with a comment, a note and a snooze by staff. */
async function clientWithTexts(): Promise<MadeClient> {
  const client = await makeClient(server)
  const { id: record } = (await call(server, writeEnquiry, { as: client, body: enquiry })).answer.enquiry
  const { items } = (await call(server, listInbox, { as: officer, query: { kind: 'enquiry' } })).answer
  const params = { id: items.find((item) => item.record === record)?.id ?? '' }
  const until = Math.floor(server.clock.now().getTime() / 1000) + 3600
  const sent = [
    await call(server, writeComment, { as: officer, params, body: { text: 'Called back on Monday.' } }),
    await call(server, writeNote, { as: officer, params: { id: client.id }, body: { text: 'On hold: SAR filed.' } }),
    await call(server, snoozeItem, { as: officer, params, body: { until, note: 'Waits for @Greta Lund' } as never }),
  ]
  expect(sent.map(({ status }) => status)).toEqual([201, 201, 200])
  return client
}

const read = (client: MadeClient, as = officer) =>
  call(server, contract.getAccessRequest, { as, params: { id: client.id } })
const answer = (client: MadeClient, marks: object, as = officer) =>
  call(server, contract.answerAccessRequest, {
    as,
    params: { id: client.id },
    body: { reason: 'Request of 20 November', handedOut: [], withheld: [], ...marks } as never,
  })

test('each text is listed with its possible topics, and only the texts marked for it are in the answer', async () => {
  const client = await clientWithTexts()
  const { texts, answeredAt } = (await read(client)).answer
  expect(answeredAt).toBeNull()
  expect(texts.map(({ kind, text, topics, by, marked }) => [kind, text, topics, by?.name, marked])).toEqual(
    expect.arrayContaining([
      ['comment', 'Called back on Monday.', [], 'Ines Albrecht', null],
      ['note', 'On hold: SAR filed.', ['hold', 'report'], 'Ines Albrecht', null],
      ['snooze', 'Waits for @Greta Lund', ['person'], 'Ines Albrecht', null],
    ]),
  )
  const [handedOut, withheld] = [true, false].map((isComment) =>
    texts.filter(({ kind }) => (kind === 'comment') === isComment).map(({ id }) => id),
  )
  const { bytes, headers } = await answer(client, { handedOut, withheld })
  expect(headers['content-disposition']).toMatch(/access-request-\d+\.zip/)
  const files = textsOfZip(bytes)
  expect(JSON.parse(files['comments.json'] ?? '')).toEqual([
    { kind: 'comment', at: server.clock.now().toISOString(), text: 'Called back on Monday.' },
  ])
  expect(files['enquiry-messages.json']).toContain('Which data do you keep?')
  expect(Object.values(files).join('\n')).not.toMatch(/SAR|Greta|Ines Albrecht/)
  const events = (await call(server, searchAudit, { as: officer, query: { client: client.id } })).answer.rows
  expect(events[0]).toMatchObject({ verb: 'answerAccessRequest', reason: 'Request of 20 November' })
  const again = (await read(client)).answer
  expect(again.answeredAt).toEqual(server.clock.now())
  expect(again.texts.map(({ kind, marked }) => [kind, marked])).toEqual(
    expect.arrayContaining([
      ['comment', 'handedOut'],
      ['note', 'withheld'],
    ]),
  )
})

test('an answer is rejected if a text is not marked, is marked twice, or belongs to another client', async () => {
  const [client, other] = [await clientWithTexts(), await clientWithTexts()]
  const ids = (await read(client)).answer.texts.map(({ id }) => id)
  const foreign = (await read(other)).answer.texts.map(({ id }) => id)
  for (const marks of [
    {},
    { handedOut: ids.slice(1) },
    { handedOut: ids, withheld: ids },
    { handedOut: [...ids, ...foreign] },
    { handedOut: foreign },
  ]) {
    const refused = await answer(client, marks)
    expect([refused.status, refused.failure.code]).toEqual([409, 'access-marks'])
  }
  expect((await read(client)).answer.answeredAt).toBeNull()
})

test('only compliance and administrators can read and answer it, and the client’s own download does not contain the texts', async () => {
  const client = await clientWithTexts()
  for (const role of ['operations', 'finance', 'auditor'] as const) {
    const as = await makeStaff(server, [role])
    expect((await read(client, as)).status).toBe(403)
    expect((await answer(client, {}, as)).status).toBe(403)
  }
  const unknown = { ...client, id: '0f3f0ed8-2c4e-4a0e-9a43-0d8e0f0a0001' as MadeClient['id'] }
  expect([(await read(unknown)).status, (await answer(unknown, {})).status]).toEqual([404, 404])
  const own = textsOfZip((await call(server, downloadMyData, { as: client })).bytes)
  expect(Object.keys(own)).not.toContain('comments.json')
  expect(Object.values(own).join('\n')).not.toMatch(/Called back|SAR|Greta/)
})
