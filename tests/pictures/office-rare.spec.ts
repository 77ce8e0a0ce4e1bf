/**
 * `npm run pictures`: states of the back office that the demo data does not reach, in a product of their own: payout
 * batches in every state, deals that cannot be read, the shared view of a person who has left, an open recovery,
 * decisions by person, a scheduled report.
 */
import type { Page } from '@playwright/test'
import { officePaths, officeBase } from '#contract/office-paths.ts'
import * as batches from '#contract/office/payout-batches.ts'
import { proposeRecoveryItem } from '#contract/office/recovery.ts'
import { saveView } from '#contract/office/saved-views.ts'
import { deactivateStaff } from '#contract/office/staff.ts'
import { returnWithdrawal } from '#contract/office/withdrawals.ts'
import { money } from '#rules/money.ts'
import { readConfig } from '#server/config/config.ts'
import { operationRef } from '#server/db/ids.ts'
import { requireRow, transaction } from '#server/db/sql.ts'
import { platformComment } from '#server/ledger/references.ts'
import { operate } from '#server/operator/commands.ts'
import { openRecovery } from '#server/recovery/open-recovery.ts'
import { makeApprovedWithdrawal, makeUndebitedWithdrawal } from '../approved-withdrawal.ts'
import { expectPageLoaded } from '../e2e/decisions.ts'
import { expect } from '../e2e/expect.ts'
import { officeTab, withOwnProduct, type OwnProduct } from '../e2e/own-product.ts'
import { call, makeStaff, applySetting, type MadeStaff, type TestServer } from '../factories.ts'
import { platformAccount } from '../platform-account.ts'
import { settleOperations, type ServerWithPlatform } from '../funded-account.ts'
import { createBatchOf, createPaidBatch, createReleasedBatch } from '../payout-batches.ts'
import { postSecondDeal, makeUnclearDeal, makeUnreadableAccount, makeUnreadableDeal } from '../unreadable-accounts.ts'
import { inEveryLook, type Look } from './looks.ts'

inEveryLook('office rare', async ({ browser, options, take, keep }) => {
  await withOwnProduct(
    browser,
    'MT5',
    async (product) => {
      const { server } = product
      const byState = await batchesInEveryState(server)
      const queues = { documents: '', clients: '', money: '', enquiries: '', other: '' }
      await applySetting(server, 'decisionsByPerson', { shown: true, ...queues })
      const page = await officeTab(product, 'administrator')
      await take(page, 'rare', `${officeBase}${officePaths.payoutBatches}?state=all`, '-batches')
      for (const [state, id] of Object.entries(byState))
        await take(page, 'rare', `${officeBase}${officePaths.payoutBatch(id)}`, `-batch-${state}`)
      await take(page, 'rare', `${officeBase}${officePaths.reports}?report=approvals`, '-decisions-by-person')
      await scheduleReport(page, keep)
      await takeUnreadable(product, page, { take, keep })
      await takeUnclear(product, { take, keep })
      await takeLeftView(server, page, keep)
      const differing = await openRecoveryWithFindings(server)
      // Recovery ends every session of staff.
      await take(await officeTab(product, 'administrator'), 'rare', `${officeBase}${officePaths.recovery}`, '-recovery')
      await takeDiffering(product, differing, keep)
    },
    options,
  )
})

/** Makes a payout batch in each state by the product's own calls; returns their ids. */
async function batchesInEveryState(server: TestServer): Promise<Record<string, string>> {
  const creator = await makeStaff(server, ['operations'], { name: 'Tom Reyes' })
  const confirmer = await makeStaff(server, ['finance'], { name: 'Johanna Meier' })
  const releaser = await makeStaff(server, ['administrator'], { name: 'Ruth Kessler' })
  const duties = { creator, confirmer, releaser }
  const payment = async () => (await makeApprovedWithdrawal(server, '250', { first: creator })).id
  const returned = await makeApprovedWithdrawal(server, '50')
  const partlyReturned = await createPaidBatch(server, [returned.id, await payment()], duties)
  const body = { version: (await returned.now()).version, reason: 'The account is closed.' }
  await expectSuccess(call(server, returnWithdrawal, { as: confirmer, params: { id: returned.id }, body }))
  await settleOperations(server)
  const sent = await createPaidBatch(server, [await payment()], duties)
  const closed = await createPaidBatch(server, [await payment()], duties)
  await step(server, batches.closePayoutBatch, closed, confirmer)
  const voided = await createReleasedBatch(server, [await payment()], duties)
  await step(server, batches.requestVoidPayoutBatch, voided, confirmer)
  await step(server, batches.confirmVoidPayoutBatch, voided, releaser)
  const voidRequested = await createReleasedBatch(server, [await payment()], duties)
  await step(server, batches.requestVoidPayoutBatch, voidRequested, confirmer)
  const released = await createReleasedBatch(server, [await payment(), await payment()], duties)
  const created = await createBatchOf(server, [await payment(), await payment()], duties)
  return { created, released, voidRequested, voided, sent, partlyReturned, closed }
}

type Step =
  | typeof batches.closePayoutBatch
  | typeof batches.requestVoidPayoutBatch
  | typeof batches.confirmVoidPayoutBatch

async function step(server: TestServer, endpoint: Step, id: string, as: MadeStaff): Promise<void> {
  const { batch } = (await call(server, batches.getPayoutBatch, { as, params: { id } })).answer
  const body = { version: batch.version, ...('reason' in endpoint.body.shape && { reason: 'The bank says so.' }) }
  await expectSuccess(
    call(server, endpoint as typeof batches.requestVoidPayoutBatch, { as, params: { id }, body: body as never }),
  )
}

async function expectSuccess(reply: Promise<{ status: number; bytes: Buffer }>): Promise<void> {
  const { status, bytes } = await reply
  expect(status, bytes.toString()).toBe(200)
}

async function scheduleReport(page: Page, keep: Look['keep']): Promise<void> {
  await page.goto(`${officeBase}${officePaths.reports}`)
  await expectPageLoaded(page)
  await page.locator('.page-header button').first().click()
  const dialog = page.getByRole('dialog').last()
  await expect(dialog).toBeVisible()
  await keep(page, 'rare', '-schedule')
  await dialog.getByRole('button').last().click()
  await expect(dialog).toBeHidden()
  await keep(page, 'rare', '-scheduled')
}

/**
 * Keeps the row, the drawer and the page of an account with a deal that cannot be read, and of one that cannot be read.
 */
async function takeUnreadable(
  product: Pick<ServerWithPlatform, 'server' | 'platform'>,
  page: Page,
  { take, keep }: Pick<Look, 'take' | 'keep'>,
): Promise<void> {
  const list = `${officeBase}${officePaths.failedJobs}`
  for (const [name, make] of [
    ['-unreadable', makeUnreadableDeal],
    ['-unread-account', makeUnreadableAccount],
  ] as const) {
    const login = await make(product)
    await take(page, 'rare', list, name)
    await page.locator('main tbody a').first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await keep(page, 'rare', `${name}-open`)
    await take(page, 'rare', `${officeBase}${officePaths.account('MT5', login)}`, `${name}-account`)
  }
}

/** Keeps the row of a deal that may be one of our operations, and the decision of two people that it is not. */
async function takeUnclear(
  product: Parameters<typeof officeTab>[0],
  { take, keep }: Pick<Look, 'take' | 'keep'>,
): Promise<void> {
  const login = await makeUnclearDeal(product)
  const [first, second] = [await officeTab(product, 'finance'), await officeTab(product, 'finance')]
  const dialogOf = async (page: Page, address: string, name: string) => {
    await take(page, 'rare', `${officeBase}${address}`, name)
    await page.locator('main tbody tr').first().click()
    const dialog = page.getByRole('dialog').last()
    await expect(dialog).toBeVisible()
    await keep(page, 'rare', `${name}-open`)
    return dialog
  }
  await dialogOf(first, `${officePaths.failedJobs}?q=${login}`, '-unclear-deal')
  const proposed = await dialogOf(first, `${officePaths.reconciliation}?q=${login}`, '-unclear-deal-decision')
  await proposed.getByRole('button').last().click()
  await proposed.getByRole('textbox').fill('Rebate of October, booked by the dealer.')
  await keep(first, 'rare', '-unclear-deal-proposal')
  await proposed.getByRole('button').last().click()
  await expect(proposed.getByRole('textbox')).toHaveCount(0)
  const confirmed = await dialogOf(
    second,
    `${officePaths.reconciliation}?state=proposed&q=${login}`,
    '-unclear-deal-proposed',
  )
  await confirmed.getByRole('button').last().click()
  await expect(confirmed.getByRole('textbox')).toBeVisible()
  await keep(second, 'rare', '-unclear-deal-confirmation')
  await confirmed.getByRole('button').last().click()
  await expect(confirmed.getByRole('textbox')).toHaveCount(0)
  await take(
    second,
    'rare',
    `${officeBase}${officePaths.reconciliation}?state=explained&q=${login}`,
    '-unclear-deal-end',
  )
  await postSecondDeal(product, login)
  await dialogOf(second, `${officePaths.reconciliation}?state=open&q=${login}`, '-posted-second-deal')
}

/** Keeps the dialog that deletes the shared view of a person who has left. */
async function takeLeftView(server: TestServer, page: Page, keep: Look['keep']): Promise<void> {
  const leaver = await makeStaff(server, ['finance'], { name: 'Ines Roth' })
  const body = { list: 'withdrawals' as const, name: 'Over 10k in euro', query: { currency: 'EUR' }, shared: true }
  const { id } = (await call(server, saveView, { as: leaver, body })).answer
  const as = await makeStaff(server, ['administrator'])
  await expectSuccess(
    call(server, deactivateStaff, { as, params: { id: leaver.id }, body: { version: 1, reason: 'Left.' } }),
  )
  await page.goto(`${officeBase}${officePaths.withdrawals}?currency=EUR&view=${id}`)
  await expectPageLoaded(page)
  await page.keyboard.press('v')
  await expect(page.getByRole('menuitem').last()).toBeVisible()
  await keep(page, 'rare', '-view-menu')
  await page.getByRole('menuitem').last().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await keep(page, 'rare', '-view-delete')
}

/**
 * Opens recovery, which finds an account on the platform that this database does not have, and a deal whose amount
 * differs from its withdrawal; returns the id of that finding.
 */
async function openRecoveryWithFindings(server: TestServer): Promise<string> {
  const { dependencies, clock, env } = server
  const { platforms, pool, keys } = dependencies
  const now = clock.now()
  const { reference, account } = await makeUndebitedWithdrawal(server)
  await platforms.MT5.createAccount(platformAccount(operationRef(now), 'real\\standard-EUR'))
  const ref = platformComment({ key: keys.reference.bytes, shown: reference, leg: 'withdrawal-debit', generation: 0 })
  await platforms.MT5.applyBalance({
    ref,
    login: account.login,
    amount: money(-24_000n, 'EUR'),
    checkMargin: false,
  })
  const since = new Date(now.getTime() - 600_000)
  await transaction(dependencies.jobs, (tx) => openRecovery(tx, { sign: 'restored', since, now }))
  await operate(readConfig(env), ['recover', '--since', since.toISOString()], () => undefined, clock.now)
  const { id } = await requireRow<{ id: string }>(pool)`select id from recovery_items where kind = 'mismatch'`
  return id
}

/** Keeps the dialogs in which two people adopt a deal whose amount differs. */
async function takeDiffering(product: OwnProduct, id: string, keep: Look['keep']): Promise<void> {
  const address = `${officeBase}${officePaths.recoveryItem(id)}`
  const first = await officeTab(product, 'finance')
  await first.goto(address)
  await keep(first, 'rare', '-recovery-differing')
  await first.getByRole('dialog').locator('.button.primary').click()
  await keep(first, 'rare', '-recovery-differing-propose')
  const as = await makeStaff(product.server, ['finance'])
  const body = { version: 1, action: 'adopt', reason: 'The dealer changed the amount.' } as const
  await expectSuccess(call(product.server, proposeRecoveryItem, { as, params: { id }, body }))
  const second = await officeTab(product, 'finance')
  await second.goto(address)
  await second.getByRole('dialog').locator('.button.primary').click()
  await keep(second, 'rare', '-recovery-differing-confirm')
}
