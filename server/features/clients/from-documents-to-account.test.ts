/** From the first upload to an open, then professional, account on the platform (requirements 6.17, 7.4, 13.5). */
import { expect, test } from 'vitest'
import { documentsApproval, saveDocuments } from '#contract/documents.ts'
import { getLiveAccounts } from '#contract/accounts.ts'
import { approveAccount } from '#contract/office/account-requests.ts'
import { approveClient } from '#contract/office/client-decisions.ts'
import { getOfficeClient, searchClients } from '#contract/office/clients.ts'
import { approveDocument, getDocumentCase } from '#contract/office/documents.ts'
import { approveProfessional, getProfessional, reverseProfessional } from '#contract/office/professional.ts'
import {
  getProfessionalClientsApplication,
  submitClientsProfessionalApplication,
} from '#contract/professional-status.ts'
import { row, sql } from '#server/db/sql.ts'
import { platformForFile } from '#tests/for-file.ts'
import { settleOperations } from '#tests/funded-account.ts'
import { makeJpeg, makePdf, uploadTo } from '#tests/files.ts'
import { call, makeClient, makeStaff } from '#tests/factories.ts'

const place = platformForFile()

test('a client uploads documents, is approved, gets the account chosen at registration, and becomes professional and back', async () => {
  const { server } = place
  const officer = await makeStaff(server, ['compliance'])
  const clerk = await makeStaff(server, ['operations'])
  const client = await makeClient(server, {
    state: 'pending',
    wantedAccount: { baseCurrency: 'EUR', platform: 'MT5', accType: 'Standard', leverage: 30 },
  })
  const year = server.clock.now().getFullYear()
  const month = server.clock.now().getMonth() + 1
  const save = async (documentType: string, bytes: Buffer, expiryYear: number) => {
    const { filename } = (await uploadTo(server, client, bytes, 'scan')).json
    const data = {
      country: 'DE',
      documentNumber: 'C01X',
      expiryDay: 1,
      expiryMonth: month,
      expiryYear,
      documentFront: filename,
    }
    expect((await call(server, saveDocuments, { as: client, body: { documentType, data } })).status).toBe(200)
  }
  await save('passport', await makeJpeg(), year + 3)
  await save('bank_statement', await makePdf(2), year)
  expect((await call(server, documentsApproval, { as: client })).answer.token).toBeTruthy()

  const found = (await call(server, getDocumentCase, { as: officer, params: { id: client.id } })).answer.case
  for (const { id, version } of found.documents) {
    expect((await call(server, approveDocument, { as: officer, params: { id }, body: { version } })).status).toBe(200)
  }
  const next = await call(server, searchClients, { as: officer, query: { toApprove: 'true' } })
  expect(next.answer.rows.map((one) => one.client.id)).toEqual([client.id])
  const { version } = (await call(server, getOfficeClient, { as: officer, params: { id: client.id } })).answer.client
  expect(
    (await call(server, approveClient, { as: officer, params: { id: client.id }, body: { version } })).status,
  ).toBe(200)

  const request = await row<{ id: string; version: number }>(
    server.dependencies.pool,
    sql`select id, version from trading_accounts where client_id = ${client.id}`,
  )
  const account = request?.id ?? ''
  await call(server, approveAccount, { as: clerk, params: { id: account }, body: { version: request?.version } })
  await settleOperations(server)
  const [open] = (await call(server, getLiveAccounts, { as: client, params: { a: 'all', b: 'approved' } })).answer
    .accounts
  expect(open).toMatchObject({ _id: account, status: 'approved', passwordToShow: true })

  const form = { question01: 'Yes', question02: '30+', question03: 'Yes', question04: 'No' }
  await call(server, submitClientsProfessionalApplication, { as: client, body: { form } })
  const { application } = (await call(server, getProfessionalClientsApplication, { as: client })).answer
  const params = { id: application?.id ?? '' }
  const versionOf = async () =>
    (await call(server, getProfessional, { as: officer, params })).answer.application.version
  const login = open?.number ?? ''
  const groupOf = async () => (await server.dependencies.platforms.MT5.getAccount(login)).group
  const reason = 'Two of three.'
  const approve = { version: await versionOf(), reason, accounts: [account] }
  expect((await call(server, approveProfessional, { as: officer, params, body: approve })).status).toBe(200)
  await settleOperations(server)
  expect(await groupOf()).toBe('real\\pro-standard-EUR')
  await call(server, reverseProfessional, { as: officer, params, body: { version: await versionOf(), reason } })
  await settleOperations(server)
  expect(await groupOf()).toBe('real\\standard-EUR')
})
