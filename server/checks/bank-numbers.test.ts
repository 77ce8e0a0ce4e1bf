/** A British bank account is the same with its IBAN and with its sort code and account number (requirements 24.209). */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { getOfficeBankDetails } from '#contract/office/bank-details.ts'
import { getDecisionChecks } from '#contract/office/checks.ts'
import { getOfficeClient } from '#contract/office/clients.ts'
import { approveWithdrawal, getOfficeWithdrawal } from '#contract/office/withdrawals.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { run } from '#server/db/sql.ts'
import { linkClients } from '#server/features/clients/link-digests.ts'
import { allAcknowledged } from '#tests/acknowledged.ts'
import { chainAllEvents } from '#tests/chain-all-events.ts'
import { call, makeClient, type MadeClient } from '#tests/factories.ts'
import { platformForFile, staffForFile } from '#tests/for-file.ts'
import { makeApprovedBank, makeFundedAccount, withdrawalBody } from '#tests/funded-account.ts'

const { server } = platformForFile()
const operations = staffForFile(server, ['operations'])
const compliance = staffForFile(server, ['compliance'])
const iban = 'GB29NWBK60161331926819'
let one: MadeClient
let other: MadeClient

/** Makes bank details with the sort code and account number of a British IBAN, in a state. */
async function makeBankByNumbers(
  { id: clientId }: MadeClient,
  { state, of }: { state: 'approved' | 'pending'; of: string },
): Promise<string> {
  const id = randomUUID()
  const now = server.clock.now()
  await run(server.dependencies.pool)`
    insert into bank_details (id, client_id, bank_name, bank_address, bank_country, currency, sort_code, account_number,
        state, added_at, decided_at)
      values (${id}, ${clientId}, 'Example Bank', '1 Square, London', 'GB', 'EUR', ${of.slice(8, 14)}, ${of.slice(14)},
        ${state}, ${now}, ${state === 'approved' ? now : null})`
  return id
}

beforeAll(async () => {
  one = await makeClient(server)
  other = await makeClient(server)
  await makeApprovedBank(server, one, 'EUR', iban)
})

test('withdrawals to both notations count together for the second approval', async () => {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 3_000_000n)
  const own = 'GB33BUKB20201555555555'
  const banks = [
    await makeApprovedBank(server, client, 'EUR', own),
    await makeBankByNumbers(client, { state: 'approved', of: own }),
  ]
  const decided: unknown[] = []
  for (const bankId of banks) {
    const body = withdrawalBody(account, bankId, '9000')
    const { id } = (await call(server, requestWithdrawal, { as: client, body })).answer
    const shown = (await call(server, getOfficeWithdrawal, { as: operations, params: { id } })).answer.withdrawal
    const approval = { version: shown.version, ...allAcknowledged }
    const { answer } = await call(server, approveWithdrawal, { as: operations, params: { id }, body: approval })
    decided.push([shown.fourEyes.needed, answer.state])
  }
  expect(decided).toEqual([
    [false, 'processing'],
    [true, 'second_approval'],
  ])
})

test('another client with the other notation has the same bank account, on its page and in its checks', async () => {
  const id = await makeBankByNumbers(other, { state: 'pending', of: iban })
  const page = await call(server, getOfficeBankDetails, { as: compliance, params: { id } })
  expect(page.answer.bankDetails.elsewhere.clients?.map((client) => client.id)).toEqual([one.id])
  const query = { kind: 'bank_details', id } as const
  const { checks } = (await call(server, getDecisionChecks, { as: operations, query })).answer
  expect(checks.find(({ name }) => name === 'same-elsewhere')?.facts).toContainEqual(
    expect.objectContaining({ name: 'Clients with the same bank account', value: '1' }),
  )
})

test('both notations link clients, also those whose IBAN was stored before it was compared', async () => {
  const { pool } = server.dependencies
  const linked = async () => {
    await linkClients(server.dependencies)
    const { answer } = await call(server, getOfficeClient, { as: compliance, params: { id: one.id } })
    return answer.client.linked.clients?.find(({ id }) => id === other.id)?.kinds
  }
  for (const { id } of [one, other])
    await run(pool)`insert into events (at, kind, record, client_id, verb, actor)
      values (${server.clock.now()}, 'client', ${id}, ${id}, 'note', 'clock')`
  await chainAllEvents(server)
  expect(await linked()).toContain('bank')
  await run(pool)`update link_digests set digest = '\\x00' where kind = 'bank' and client_id = ${one.id}`
  expect(await linked()).not.toContain('bank')
  await run(pool)`update link_digests_cursor set followed = null`
  expect(await linked()).toContain('bank')
})
