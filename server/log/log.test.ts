/** What a log line contains of an error, and what it omits (ASVS 16.2.5). */
import { expect, test } from 'vitest'
import { run, sql } from '#server/db/sql.ts'
import { makeClient } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { newEmail } from '#tests/registering.ts'
import { openLog } from './log.ts'

const server = serverForFile()

/** Returns the log line of an error. */
function lineOf(error: unknown): string {
  let line = ''
  openLog('info', { write: (text) => (line = text) }).error({ err: error }, 'failed')
  return line
}

/** Returns the error of a statement that PostgreSQL rejects, which contains the row's values. */
async function refusal(email: string, county = ''): Promise<Error> {
  const insert = sql`insert into clients (email, title, name, surname, country, county, password_hash, password_changed_at,
    created_at) values (${email}, 'Mr.', 'Canary-name', 'Doe', 'GB', ${county}, 'Canary-hash', now(), now())`
  return run(server.dependencies.pool, insert).then(
    () => new Error('nothing was refused'),
    (error: Error) => error,
  )
}

test('a database error is logged with its message, code and constraint, and never with the values of the row', async () => {
  const email = newEmail()
  await makeClient(server, { email })
  const [twice, tooLong] = [await refusal(email), await refusal(newEmail(), 'Canary-county'.repeat(3))]
  expect(twice).toHaveProperty('detail', expect.stringContaining(email))
  expect(tooLong).toHaveProperty('detail', expect.stringContaining('Canary-hash'))
  for (const error of [twice, tooLong, new AggregateError([twice, tooLong], 'both')]) {
    const line = lineOf(error)
    expect(line).not.toContain(email)
    expect(line).not.toContain('Canary')
    expect(JSON.parse(line)).toHaveProperty('err.stack')
  }
  expect(JSON.parse(lineOf(twice))).toMatchObject({ err: { code: '23505', constraint: 'clients_email_key' } })
})
