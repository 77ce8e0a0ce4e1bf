import pg from 'pg'
import { expect, test } from 'vitest'
import { readTimestamp } from './timestamps.ts'
import { serverForFile } from '#tests/for-file.ts'

const server = serverForFile()

test.each([
  ['2026-11-21 10:00:00+00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21 10:00:00.1+00', '2026-11-21T10:00:00.100Z'],
  ['2026-11-21 10:00:00.057999+00', '2026-11-21T10:00:00.057Z'],
  ['1969-12-31 23:59:59.999999+00', '1969-12-31T23:59:59.999Z'],
  ['2026-11-21 10:00:00.5+05:30', '2026-11-21T04:30:00.500Z'],
  ['2026-11-21 10:00:00-08', '2026-11-21T18:00:00.000Z'],
  ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
])('the timestamp %s is read as %s', (text, iso) => {
  expect((readTimestamp(text) as Date).toISOString()).toBe(iso)
})

test('infinity, years BC and years beyond 9999 are read as the driver reads them', () => {
  expect([readTimestamp('infinity'), readTimestamp('-infinity')]).toEqual([Infinity, -Infinity])
  expect((readTimestamp('0044-03-15 12:00:00+00 BC') as Date).getUTCFullYear()).toBe(-43)
  expect((readTimestamp('12026-11-21 10:00:00+00') as Date).getUTCFullYear()).toBe(12_026)
})

test('timestamps are read back to the millisecond as written, in any time zone of the connection', async () => {
  const moments = [0, 1, 57, 290, 587, 999, 1e12 + 1, 1_732_186_800_123, -1].map((ms) => new Date(ms))
  const connection = await server.dependencies.pool.connect()
  try {
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu']) {
      await connection.query({ text: `select set_config('timezone', $1, false)`, values: [zone] })
      const read = await connection.query<{ at: Date }>({
        text: 'select unnest($1::timestamptz[]) as at',
        values: [moments],
      })
      expect(read.rows.map(({ at }) => at)).toEqual(moments)
    }
  } finally {
    connection.release(true)
  }
  expect(pg.types.getTypeParser(1184)).toBe(readTimestamp)
})
