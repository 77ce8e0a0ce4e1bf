/**
 * Two clerks decide on one item: one decision succeeds, the other clerk sees whose it was (requirements 21.2, 28.12).
 */
import { expect, test } from 'vitest'
import { approveBankDetails, rejectBankDetails } from '#contract/office/bank-details.ts'
import { rows, sql } from '#server/db/sql.ts'
import { call, makeClient, type MadeStaff, type TestServer } from '../../tests/factories.ts'
import { allAcknowledged } from '../../tests/acknowledged.ts'
import { serverForFile, staffForFile } from '../../tests/for-file.ts'
import { makeApprovedBank } from '../../tests/funded-account.ts'

const server = serverForFile()
const second = serverForFile({ beside: server })
const tom = staffForFile(server, ['operations'], { name: 'Tom Reyes' })
const ines = staffForFile(server, ['operations'], { name: 'Ines Duarte' })

const raceCount = 200

test('of two concurrent decisions on two servers exactly one succeeds, in 200 of 200 attempts', async () => {
  const client = await makeClient(server)
  for (let round = 0; round < raceCount; round += 1) {
    const id = await makeApprovedBank(server, client)
    await server.dependencies.pool.query(
      "update bank_details set state = 'pending', holder_name = 'Hannah Brandt' where id = $1",
      [id],
    )
    const params = { id }
    const approve = (at: TestServer, as: MadeStaff) =>
      call(at, approveBankDetails, { as, params, body: { version: 1, ...allAcknowledged } })
    const reject = (at: TestServer, as: MadeStaff) =>
      call(at, rejectBankDetails, { as, params, body: { version: 1, reason: 'not readable' } })
    const tries = await Promise.all(
      round % 2 === 0 ? [approve(server, tom), reject(second, ines)] : [reject(server, tom), approve(second, ines)],
    )
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const winner = tries[0]?.status === 200 ? 'Tom Reyes' : 'Ines Duarte'
    const loser = tries.find(({ status }) => status === 409)
    expect(loser?.failure.code).toBe('decided-by')
    expect(loser?.failure.error).toContain(winner)
    const events = await rows(
      server.dependencies.pool,
      sql`select 1 from events where kind = 'bank_details' and record = ${id}`,
    )
    expect(events).toHaveLength(1)
  }
})
