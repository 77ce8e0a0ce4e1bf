/** The product started with some integrations of the operator's own, with an empty DATA_DIR. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import type { Environment } from '#server/config/read-variable.ts'
import { sourcePrograms } from '#scripts/server-programs.ts'
import { startStack, type Stack } from '#scripts/stack.ts'
import { usablePort } from '#scripts/simulators.ts'
import { emptyDatabase } from '../database.ts'

let product: Stack | null = null
const folders: string[] = []
afterEach(async () => {
  await product?.stop()
  product = null
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Starts the product and returns the result for the demo's data. */
async function start(env: Environment): Promise<{ demoData: Stack['demoData'] }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-start-'))
  folders.push(dataDir)
  // Readable for the database's account, so that everything is in this one directory.
  chmodSync(dataDir, 0o711)
  const port = String(await usablePort(0))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const environment = { PATH, NODE_COMPILE_CACHE, PORT: port, DATA_DIR: dataDir, ...env }
  const config = readConfig(environment)
  const onGone = (sentence: string) => {
    throw new Error(sentence)
  }
  product = await startStack({
    env: environment,
    config,
    programs: () => Promise.resolve(sourcePrograms()),
    meanwhile: () => Promise.resolve(),
    onGone,
  })
  expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200)
  return { demoData: product.demoData }
}

const smtp = { SMTP_URL: 'smtp://127.0.0.1:9' }

describe('the demo', () => {
  test('creates its data if the operator has connected a mail server, which receives all later emails', async () => {
    const { demoData } = await start(smtp)
    expect(demoData).toEqual({ made: true })
    expect(product?.serverEnv).toMatchObject(smtp)
    expect(product?.serverEnv['DEMO_MAILBOX_URL']).toBeUndefined()
  })

  test('starts empty and explains why if the operator has connected a platform and an empty database', async () => {
    const database = await emptyDatabase()
    const { demoData } = await start({
      DEMO: 'on',
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      MT5_URL: 'http://127.0.0.1:9',
      MT5_LOGIN: '1000',
      MT5_PASSWORD: 'secret',
    })
    expect(demoData).toEqual({
      none: expect.stringMatching(/^No demo data was created, .*MT5_URL point to other servers\. .*\.$/),
    })
  })
})

test('the product starts without the demo, without a mail server and without platforms', async () => {
  const { demoData } = await start({ DEMO: 'off' })
  expect(demoData).toBeNull()
})
