/**
 * Everything happens after the backup, the backup is started with the same platform, provider and bank, and the product
 * leaves recovery with the same totals to the cent (requirements 20). Each row is a time and a kind of copy.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { deleteStrayFiles } from '#server/features/files/jobs.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { operate } from '#server/operator/commands.ts'
import { recoveryOf } from '#server/recovery/stopped-money.ts'
import { settleOperations } from '../funded-account.ts'
import { startTestServer, type TestServer } from '../factories.ts'
import { until } from '../until.ts'
import {
  copyAll,
  startAtRestorePoint,
  startCopiedCluster,
  startFolderCopy,
  startTablesCopy,
  type CopiedCluster,
  type RestoredDatabase,
} from './copied-cluster.ts'
import { importBankLines, productBankLines, type BankLine } from './restorable-bank.ts'
import { startRestorableProduct, type RestorableProduct } from './restorable-product.ts'
import { stages, type Stage } from './restorable-stages.ts'
import { decideOnStrangers, giveRebate, strangerBankLines } from './strangers.ts'
import { finalStatesOf, totalsOf, type Totals } from './totals.ts'
import { confirmAccess, decideAllItems, reopenPayouts, recoverFrom, signInAgain } from './end-of-recovery.ts'

type CopyKind = 'folder' | 'tables' | 'moment'

interface Variant {
  /** The copy contains neither this stage nor any later one. */
  readonly before: Stage
  readonly way: CopyKind
  /** How the restored database is started: after `operator restored`, or without it, a web server first. */
  readonly start: 'restored' | 'web-first'
}

const variants: readonly Variant[] = [
  { before: 'decisions', way: 'folder', start: 'restored' },
  { before: 'debits', way: 'folder', start: 'web-first' },
  { before: 'debits', way: 'tables', start: 'web-first' },
  { before: 'ends', way: 'folder', start: 'web-first' },
  { before: 'ends', way: 'moment', start: 'restored' },
  { before: 'batches', way: 'folder', start: 'restored' },
  { before: 'payment', way: 'folder', start: 'restored' },
]

let cluster: CopiedCluster
let product: RestorableProduct
let begun: Date
/** The copies, by stage and kind. */
const copies = new Map<string, string>()
let baseFolder: string
let lines: readonly BankLine[]
let totalsBefore: Totals
let finalStatesBefore: Readonly<Record<string, string>>

beforeAll(async () => {
  cluster = await startCopiedCluster()
  product = await startRestorableProduct(cluster)
  begun = product.server.clock.now()
  baseFolder = await cluster.copyFolder()
  for (const stage of Object.keys(stages) as Stage[]) {
    for (const { way } of variants.filter(({ before }) => before === stage)) {
      if (way === 'folder') copies.set(`${stage} folder`, await cluster.copyFolder())
      if (way === 'tables') copies.set(`${stage} tables`, await cluster.copyTables())
      if (way === 'moment') await cluster.markMoment(stage)
    }
    product.server.clock.turn(30)
    await stages[stage](product)
  }
  await settleOperations(product.server)
  await giveRebate(product)
  lines = [...(await productBankLines(product)), ...strangerBankLines]
  await importBankLines(product.server, product.staff.operations, lines)
  await decideOnStrangers(product.server, product)
  totalsBefore = await totalsOf(product.server)
  finalStatesBefore = await finalStatesOf(product.server)
})
afterAll(async () => {
  await product.stop()
  await cluster.stop()
})

const fileNames = async ({ dependencies }: TestServer) =>
  (await dependencies.files.list()).map(({ name }) => name).toSorted()

const monthLater = ({ clock }: TestServer) => new Date(clock.now().getTime() + 31 * 86_400_000)

function startCopy({ before, way }: Variant): Promise<RestoredDatabase> {
  const copy = copies.get(`${before} ${way}`) ?? ''
  if (way === 'tables') return startTablesCopy(copy, inject('cluster').superuserUrl)
  return way === 'moment' ? startAtRestorePoint(baseFolder, cluster, before) : startFolderCopy(copy)
}

async function start(variant: Variant, database: RestoredDatabase): Promise<TestServer> {
  const { server } = product
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-data-'))
  copyAll(server.dependencies.config.dataDir, dataDir)
  const env = { ...server.env, DATA_DIR: dataDir, DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl }
  const options = { now: server.clock.now(), database }
  if (variant.start === 'restored') {
    const { now } = server.clock
    expect(await operate(readConfig(env), ['restored', '--yes'], () => undefined, now)).toBe(true)
    return startTestServer({ ...options, env })
  }
  const web = await startTestServer({ ...options, env: { ...env, ROLE: 'web', LOG_LEVEL: 'error' } })
  await until(async () => (await recoveryOf(web.dependencies.pool)) !== null)
  return web
}

const deals = () => product.platform.read<unknown[]>('deals?action=2')

test.each(variants)(
  'a copy made before $before (by $way, started as $start) ends recovery with equal totals and nothing executed twice',
  async (variant) => {
    const dealsBefore = await deals()
    const database = await startCopy(variant)
    const restored = await start(variant, database)
    try {
      expect(await recoveryOf(restored.dependencies.pool), 'recovery is open').not.toBeNull()
      await settleOperations(restored)
      await deleteStrayFiles(restored.dependencies, monthLater(restored))
      const staff = await signInAgain(restored, product)
      const since = new Date(begun.getTime() - 60_000)
      await recoverFrom(restored, since)
      await decideAllItems(restored, staff)
      await recoverFrom(restored, since)
      await reopenPayouts(restored, product, { staff, lines })
      await confirmAccess(restored, product)
      expect(await recoveryOf(restored.dependencies.pool), 'recovery has ended').toBeNull()
      await settleOperations(restored)
      await decideOnStrangers(restored, product)
      expect(await totalsOf(restored)).toEqual(totalsBefore)
      expect(await finalStatesOf(restored)).toEqual(finalStatesBefore)
      expect(await fileNames(restored), 'no file was lost').toEqual(await fileNames(product.server))
      expect(await brokenInvariants(restored.dependencies.pool, restored.clock.now())).toEqual([])
      expect(await deals()).toEqual(dealsBefore)
    } finally {
      await restored.stop()
      await database.stop()
    }
  },
)
