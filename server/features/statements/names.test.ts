/** Statements of clients with names in several scripts, also in one that no font has (requirements 24.31). */
import { beforeAll, expect } from 'vitest'
import * as contract from '#contract/statements.ts'
import { installFonts } from '#scripts/fonts.mjs'
import { row, sql } from '#server/db/sql.ts'
import { call, makeClient, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { pdfText } from '#tests/files.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { story } from '#tests/story.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { storeDocument } from '../files/upload-file.ts'
import { readTrades } from '../trading-history/jobs.ts'
import { drawStatements } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-07-30T09:00:00Z') })
const zoneMinutes = 180
const month = '2026-08'
const names = {
  Arabic: ['محمد', 'عبد الله'],
  Tamil: ['கார்த்திக்', 'ராமன்'],
  Chinese: ['陳', '鵬飛'],
  Greek: ['Ελένη', 'Παπαδοπούλου'],
  Burmese: ['အောင်', 'မြင့်'],
  Sundanese: ['ᮃᮞᮨᮕ᮪', 'Wijaya'],
} as const
type Script = keyof typeof names
const owners = new Map<string, { readonly client: MadeClient; readonly login: string }>()

async function readAt(time: string): Promise<void> {
  place.server.clock.set(new Date(time))
  await place.platform.turn('clock', { at: Date.parse(time) / 1000 + zoneMinutes * 60, zoneMinutes })
  await readTrades(place.server.dependencies)
}

async function callAs<Answer>(
  script: Script,
  use: (as: Awaited<ReturnType<typeof clientTokenFor>>, number: string) => Promise<Answer>,
): Promise<Answer> {
  const { client, login } = owners.get(script) ?? {}
  if (client === undefined || login === undefined) throw new Error(`no client with a name in ${script}`)
  return use(await clientTokenFor(place.server, client), login)
}

/** Returns the status of the month's statement and the number of its editions. */
const stateOf = (script: Script) =>
  callAs(script, async (as, number) => {
    const params = { platform: 'MT5' as const, number }
    const { statements } = (await call(place.server, contract.getStatements, { as, params })).answer
    const august = statements.find((one) => one.month === month)
    return [august?.state, august?.editions.length]
  })

const textOf = (script: Script) =>
  callAs(script, async (as, number) => {
    const params = { platform: 'MT5' as const, number, month, edition: '1' }
    const { bytes } = await call(place.server, contract.statementPdf, { as, params })
    return (await pdfText(bytes)).replaceAll(/\s+/g, ' ')
  })

beforeAll(async () => {
  if (!(await installFonts())) throw new Error('the fonts are not installed: npm ci in the folder fonts')
  await place.platform.turn('clock', { at: Date.parse('2026-07-30T12:00:00Z') / 1000, zoneMinutes })
  await readPlatforms(place.server.dependencies)
  for (const [script, [name, surname]] of Object.entries(names)) {
    const client = await makeClient(place.server, { name, surname })
    owners.set(script, { client, login: (await makeFundedAccount(place.server, client, 250_000n)).login })
  }
  for (const time of ['2026-07-30T09:01:00Z', '2026-07-31T09:00:00Z', '2026-08-31T09:00:00Z', '2026-09-01T09:00:00Z'])
    for (const seconds of [0, 60]) await readAt(new Date(Date.parse(time) + seconds * 1000).toISOString())
  await readAt('2026-09-04T09:00:00Z')
})

/** The text extraction drops the end of a page with missing glyphs. */
const lacking = 'Some characters'

story('statements with names in several scripts', (step) => {
  step('without its fonts a statement has the status checking; it is drawn once they are installed', async () => {
    const now = place.server.clock.now()
    await drawStatements(place.server.dependencies, storeDocument, now, () => Promise.resolve(Buffer.alloc(0)))
    expect(await stateOf('Tamil')).toEqual(['checking', 0])
    const problem = await callAs('Tamil', (_, login) =>
      row(
        place.server.dependencies.pool,
        sql`select problem, tries from month_ends join trading_accounts a on a.id = account_id
          where a.login = ${login} and month = '2026-08-01'`,
      ),
    )
    expect(problem).toEqual({ problem: 'fonts-missing', tries: 1 })
    place.server.clock.turn(60 * 60)
    await drawStatements(place.server.dependencies, storeDocument, place.server.clock.now())
    for (const script of Object.keys(names) as Script[]) expect(await stateOf(script)).toEqual(['drawn', 1])
  })

  for (const script of ['Arabic', 'Tamil', 'Chinese', 'Greek', 'Burmese'] as const)
    step(`it shows a name in ${script}`, async () => {
      const text = await textOf(script)
      // Word by word: the text extraction reads a line from the left, so it returns right-to-left words in that order.
      for (const word of names[script].join(' ').split(' ')) expect(text).toContain(word)
      expect(text).not.toContain(lacking)
    })

  step('a statement with a name in a script without a font is drawn with a note about it', async () => {
    expect(await textOf('Sundanese')).toContain(lacking)
  })
})
