/**
 * Clients of one journey before their approval, signed in without the login page, and their documents over HTTP.
 */
import type { Locator, Page } from '@playwright/test'
import pg from 'pg'
import type { approveDocument, rejectDocument } from '#contract/office/documents.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { login } from '#contract/users-session.ts'
import { type DocumentKind, documentMachine } from '#rules/documents.ts'
import type { DocumentId } from '#rules/ids.ts'
import { readConfig } from '#server/config/config.ts'
import { applyTransition } from '#server/db/transition.ts'
import { rows, sql, transaction } from '#server/db/sql.ts'
import { openKeys, readMasterKey } from '#server/crypto/keys.ts'
import { createLink, oneTimeIdOf } from '#server/auth/one-time-links.ts'
import { makeJpeg, uploadTo } from '../files.ts'
import { call, goodPassword, makeClient, makeStaff, type MadeClient } from '../factories.ts'
import { databaseOwnerUrl, portalUrl, serverEnv } from '../product.ts'
import { expect } from './expect.ts'
import { runningProduct } from './running.ts'

export interface ClientStage {
  readonly state: 'registering' | 'pending' | 'approved'
  readonly country?: string
  /** Whether identity and address are approved: gcenApiKYCPass. */
  readonly checked?: boolean
}

/** Queries the product's database as its owner. */
export async function queryAsOwner(text: string, values: readonly unknown[]): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: databaseOwnerUrl() })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Makes a client at a stage; registering ones are at step 2, substep 1. */
export async function createClientAtStage({
  state,
  country = 'DE',
  checked = state === 'approved',
}: ClientStage): Promise<MadeClient> {
  const approvals = { identityApproved: checked, addressApproved: checked }
  const client = await makeClient(await runningProduct(), { state, country, ...approvals })
  if (state === 'registering')
    await queryAsOwner('update clients set step = 2, sub_step = 1 where id = $1', [client.id])
  return client
}

/** Returns the link in the email that invites a client; the back office's own tests cover the invitation. */
export async function invitationOf({ id }: MadeClient): Promise<string> {
  const config = readConfig(serverEnv())
  const pool = new pg.Pool({ connectionString: databaseOwnerUrl(), max: 1 })
  try {
    const keys = await openKeys(pool, await readMasterKey(pool, config.masterKeyFile, false))
    const link = { purpose: 'setpassword', owner: { clientId: id }, lifeSeconds: 3600 } as const
    const row = await transaction(pool, (tx) => createLink(tx, keys, link, new Date()))
    return portalPaths.confirmEmailAndSetPassword(oneTimeIdOf(keys, row))
  } finally {
    await pool.end()
  }
}

/** Signs the client in for the next page of the portal; returns the login's token. */
export async function signClientIn(page: Page, { email }: Named, password = goodPassword): Promise<string> {
  const { answer } = await call(await runningProduct(), login, { body: { email, password } })
  const token = answer.token ?? ''
  await page.goto('/healthz')
  await page.evaluate((kept) => localStorage.setItem('portal.token', kept), token)
  return token
}

interface Named {
  readonly email: string
}

/** Saves a document with real files, like the portal. */
export async function saveDocument(token: string, kind: DocumentKind, sides: 1 | 2 = 1): Promise<void> {
  const identity = ['passport', 'id', 'drivers_licence'].includes(kind)
  const upload = async (name: string) =>
    (await uploadTo({ url: portalUrl() }, { token }, await makeJpeg(600), name)).json
  const front = await upload('front.jpg')
  const back = sides === 2 ? await upload('back.jpg') : null
  const issued = new Date()
  await postToPortal(token, '/api/users/saveDocuments', {
    documentType: kind,
    data: {
      country: 'DE',
      documentNumber: 'L01X00T47',
      expiryDay: identity ? 22 : issued.getUTCDate(),
      expiryMonth: identity ? 9 : issued.getUTCMonth() + 1,
      expiryYear: identity ? issued.getUTCFullYear() + 3 : issued.getUTCFullYear(),
      documentFront: front.filename,
      documentBack: back?.filename ?? null,
    },
  })
}

/** Decides on a client's document as compliance. */
export async function decideOnDocument<E extends typeof approveDocument | typeof rejectDocument>(
  client: MadeClient,
  kind: DocumentKind,
  endpoint: E,
  decision: object,
): Promise<void> {
  const product = await runningProduct()
  const [document] = await documentsOf(client, kind)
  const as = await makeStaff(product, ['compliance'])
  const body = { ...decision, version: document?.version }
  const reply = await call(product, endpoint, { as, params: { id: document?.id ?? '' }, body })
  expect(reply.status, reply.bytes.toString()).toBe(200)
}

/** Moves an approved document to the day after its expiry. */
export async function expireDocument(client: MadeClient, kind: DocumentKind): Promise<void> {
  const { dependencies, clock } = await runningProduct()
  const [document] = await documentsOf(client, kind)
  if (!document) throw new Error(`no ${kind}`)
  const { id } = document
  await transaction(dependencies.pool, (tx) =>
    applyTransition(
      tx,
      documentMachine,
      { identity: { kind: 'clock' }, now: clock.now() },
      { id, clientId: client.id },
      'expire',
    ),
  )
}

async function documentsOf({ id }: MadeClient, kind: DocumentKind) {
  const { dependencies } = await runningProduct()
  return rows<{ id: DocumentId; version: number }>(
    dependencies.pool,
    sql`select id, version from documents where client_id = ${id} and kind = ${kind}`,
  )
}

/** Calls an endpoint of the portal. */
export async function postToPortal(token: string, path: string, body: object = {}): Promise<void> {
  const response = await fetch(portalUrl() + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  expect(response.status, await response.clone().text()).toBeLessThan(300)
}

/** Returns a field by its visible name: a control, or a group of controls. */
export function field(page: Page, name: string): Locator {
  return page
    .getByLabel(name, { exact: true })
    .or(page.getByRole('group', { name, exact: true }))
    .first()
}

/** Expects each named field to be marked invalid with its text. */
export async function expectFieldErrors(page: Page, sentences: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, sentence] of Object.entries(sentences)) {
    await expect(field(page, name), name).toHaveAccessibleDescription(
      new RegExp(sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')),
    )
    await expect(page.getByText(sentence, { exact: true }).first()).toBeVisible()
  }
}
