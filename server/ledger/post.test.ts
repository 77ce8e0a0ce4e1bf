/** The database rejects unbalanced entries, whether or not the server wrote them (requirements 18.4). */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { rows, sql, transaction } from '#server/db/sql.ts'
import { post, type Posting } from './post.ts'
import { serverForFile } from '../../tests/for-file.ts'

const server = serverForFile()

const posting = (kind: 'fees' | 'corrections', minor: bigint, currency: 'EUR' | 'GBP' = 'EUR'): Posting => ({
  account: { kind, currency },
  minor,
})

function posted(ref: string, ...postings: Posting[]): Promise<bigint> {
  const entry = { ref, kind: 'correction' }
  return transaction(server.dependencies.pool, (tx) => post(tx, server.clock.now(), entry, postings))
}

const entriesOf = (ref: string) => rows(server.dependencies.pool, sql`select id from entries where ref = ${ref}`)

test('the same movement cannot be posted twice', async () => {
  const ref = randomUUID()
  await posted(ref, posting('fees', 5n), posting('corrections', -5n))
  await expect(posted(ref, posting('fees', 5n), posting('corrections', -5n))).rejects.toMatchObject({ code: '23505' })
  expect(await entriesOf(ref)).toHaveLength(1)
})

test.each([
  ['one larger than the other', [posting('fees', 5n), posting('corrections', -4n)]],
  ['two of different currencies', [posting('fees', 5n), posting('corrections', -5n, 'GBP')]],
  ['a single one', [posting('fees', 5n)]],
])('postings that do not sum to zero, %s, are rejected', async (_, postings) => {
  const ref = randomUUID()
  await expect(posted(ref, ...postings)).rejects.toMatchObject({
    code: '23514',
    where: expect.stringContaining('post_'),
  })
  expect(await entriesOf(ref)).toEqual([])
})

test('a sum other than zero is also rejected at the commit if the rows were written directly', async () => {
  await posted(randomUUID(), posting('fees', 5n), posting('corrections', -5n))
  const owner = new pg.Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query(
      `with entry as (insert into entries (ref, kind, at) values ('past', 'correction', now()) returning id)
        insert into postings (entry_id, ledger_account, minor, currency)
          select entry.id, l.id, 7, l.currency from entry, ledger_accounts l where l.kind = 'fees'`,
    )
    await expect(owner.query('commit')).rejects.toMatchObject({ code: '23514' })
  } finally {
    await owner.end()
  }
  expect(await entriesOf('past')).toEqual([])
})
