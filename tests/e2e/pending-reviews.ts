/**
 * Pending reviews of a client's own data: bank details, documents, another surname, and the professional status. Made
 * through the product's own calls, like tests/e2e/pending-requests.ts.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { addBankDetails } from '#contract/bank-details.ts'
import { documentsApproval, saveDocuments } from '#contract/documents.ts'
import { submitClientsProfessionalApplication } from '#contract/professional-status.ts'
import { editUser, profile } from '#contract/profile.ts'
import { passportImage } from '#scripts/seed/pictures.ts'
import { run, sql } from '#server/db/sql.ts'
import { madeBank } from '../bank-details.ts'
import { passportBearer } from '../documents.ts'
import { call, type MadeClient } from '../factories.ts'
import { makeJpeg, makePdf, uploadTo } from '../files.ts'
import { expect } from './expect.ts'
import { newClient, type NamedClient } from './pending-requests.ts'
import { newVisitor } from './registration.ts'
import { runningProduct } from './running.ts'

/** Requests a bank account in euro with its statement. */
export async function createBankRequest(client: MadeClient, statement?: Buffer): Promise<string> {
  const product = await runningProduct()
  const { json } = await uploadTo(product, client, statement ?? (await makePdf(1)), 'statement.pdf')
  const bankData = { ...madeBank, bankAccountCurrency: 'EUR', bankPOA: json.filename }
  return (await call(product, addBankDetails, { as: client, body: { bankData } })).answer.bankDetails._id
}

/**
 * Requests the same with its holder entered, for a client who shares no data with others: every check except screening
 * passes.
 */
export async function createPassingBankRequest(client: NamedClient): Promise<string> {
  const { pool } = (await runningProduct()).dependencies
  const id = await createBankRequest(client)
  await run(
    pool,
    sql`update bank_details set holder_name = ${client.name}, iban = ${`DE00${randomInt(1e9, 9e9)}${randomInt(1e7, 9e7)}`} where id = ${id}`,
  )
  return id
}

/**
 * Sends a passport and a utility bill for approval. `kinds` names those that are sent again; `passport` is an image
 * with its document number, for example one with a machine-readable zone.
 */
export async function sendDocuments(
  client: MadeClient,
  kinds: readonly ('passport' | 'utility_bill')[] = ['passport', 'utility_bill'],
  passport: { picture: Buffer; number: string } | null = null,
): Promise<void> {
  const product = await runningProduct()
  const issued = new Date(Date.now() - 10 * 86_400_000)
  const expiry = { expiryDay: 22, expiryMonth: 9, expiryYear: issued.getUTCFullYear() + 3 }
  const issue = {
    expiryDay: issued.getUTCDate(),
    expiryMonth: issued.getUTCMonth() + 1,
    expiryYear: issued.getUTCFullYear(),
  }
  for (const documentType of kinds) {
    const { json } = await uploadTo(
      product,
      client,
      (documentType === 'passport' && passport?.picture) || (await makeJpeg(600)),
      `${documentType}.jpg`,
    )
    const data = {
      country: 'DE',
      documentNumber:
        documentType === 'passport' ? (passport?.number ?? randomUUID().slice(0, 9).toUpperCase()) : '2026-4471',
      ...(documentType === 'passport' ? expiry : issue),
      documentFront: json.filename,
    }
    expect((await call(product, saveDocuments, { as: client, body: { documentType, data } })).status).toBe(200)
  }
  expect((await call(product, documentsApproval, { as: client })).json).toMatchObject({ success: true })
}

/** A client whose passport has a machine-readable zone, which agrees with what the client entered. */
export async function createPassportHolder(): Promise<NamedClient & { surname: string; number: string }> {
  const { surname } = newVisitor()
  const client = await newClient({ state: 'pending', surname, birthDate: '1986-03-14' })
  const year = new Date(Date.now() - 10 * 86_400_000).getUTCFullYear() + 3
  const number = randomUUID().slice(0, 9).toUpperCase().replaceAll('-', 'X')
  const bearer = { ...passportBearer, name: 'Ida Maria', surname, number, expires: `22.09.${year}` }
  await sendDocuments(client, undefined, { picture: await passportImage(bearer), number })
  return { ...client, surname, number }
}

/** Requests another surname, which compliance decides. */
export async function createSurnameRequest(client: MadeClient, surname: string) {
  const product = await runningProduct()
  const { user } = (await call(product, profile, { as: client })).answer
  const { title, name, birthDay, birthMonth, birthYear, mobilePhone, addressNo, city, postcode } = user
  const personal = { title, name, birthDay, birthMonth, birthYear, mobilePhone, addressNo, address: '', city, postcode }
  const body = { ...personal, county: '', country: 'DE', nationality: 'DE', surname }
  return call(product, editUser, { as: client, body })
}

/** Sends a professional application whose answers claim that all three criteria are met. */
export async function submitApplication(client: MadeClient): Promise<void> {
  const form = {
    question01: 'Yes',
    question02: '20-29',
    question03: 'Yes',
    question04: 'Yes',
    question05: 'Harbour Asset Management',
    question06: 'Portfolio manager',
    question07: 'Yes',
    question08: 'Eleven years of forex, for the firm and for myself.',
    step: 5,
    subStep: 1,
  }
  const sent = await call(await runningProduct(), submitClientsProfessionalApplication, { as: client, body: { form } })
  expect(sent.json).toMatchObject({ success: true })
}
