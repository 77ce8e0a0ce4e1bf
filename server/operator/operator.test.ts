import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditCsv, searchAudit } from '#contract/office/records.ts'
import { openInvitation } from '#contract/office/session.ts'
import { staffPasswordLengthMin } from '#rules/constants.ts'
import { readConfig } from '#server/config/config.ts'
import { join as joined, raw, row, rows, run, sql } from '#server/db/sql.ts'
import { applyRatesAsOf, applySetting, call, makeClient, makeStaff, startTestServer } from '../../tests/factories.ts'
import { serverForFile } from '../../tests/for-file.ts'
import { retentionTasks } from '../features/retention/jobs.ts'
import { allCommands, operate } from './commands.ts'

const server = serverForFile()
/** Most of these commands are only available without two active administrators. */
beforeEach(() =>
  run(server.dependencies.pool, sql`update staff set state = 'deactivated' where 'administrator' = any (roles)`),
)

async function operator(...argv: string[]): Promise<{ succeeded: boolean; text: string }> {
  const lines: string[] = []
  const succeeded = await operate(readConfig(server.env), argv, (line) => lines.push(line), server.clock.now)
  return { succeeded, text: lines.join('\n') }
}

function file(name: string, text: string): string {
  const path = join(readConfig(server.env).dataDir, name)
  writeFileSync(path, text)
  return path
}

describe('the command for the first administrators', () => {
  const create = (email: string) => operator('create-administrator', '--email', email, '--name', 'Ada Lovelace')

  test('prints a link that opens the invitation, and replaces a lost link', async () => {
    const first = await create('ada@example.com')
    const again = await create('ada@example.com')
    const idOf = (text: string) => decodeURIComponent(text.split('/welcome/')[1]?.trim() ?? '')
    expect((await call(server, openInvitation, { body: { id: idOf(first.text) } })).failure.code).toBe('link-used')
    expect((await call(server, openInvitation, { body: { id: idOf(again.text) } })).answer).toEqual({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      roles: ['administrator'],
      passwordLengthMin: staffPasswordLengthMin,
    })
  })

  test('creates at most two administrators, even when called concurrently', async () => {
    const there = await makeStaff(server, ['administrator'])
    await makeStaff(server, ['administrator'])
    expect((await create('eve@example.com')).text).toContain('There are already two administrators')
    expect((await create(there.email)).text).toContain('already has this email address')
    await run(server.dependencies.pool, sql`update staff set state = 'deactivated' where 'administrator' = any (roles)`)
    const tries = await Promise.all(['a', 'b', 'c', 'd'].map((one) => create(`${one}@example.com`)))
    expect(tries.filter(({ succeeded }) => succeeded)).toHaveLength(2)
  })

  test('requires a valid email address and a name', async () => {
    expect((await operator('create-administrator', '--email', 'nothing', '--name', 'X')).succeeded).toBe(false)
    expect((await operator('create-administrator', '--surprise', 'x')).succeeded).toBe(false)
  })
})

describe('clients imported from a file', () => {
  const heading = 'email,title,name,surname,country,language,birthDate\n'

  test('are only checked without --apply, created with it, and left unchanged if they exist', async () => {
    const email = `${randomUUID()}@example.com`
    const path = file('clients.csv', `${heading}${email},Mrs.,Hannah,Brandt,DE,de,1984-03-12\n`)
    const written = () =>
      rows<{ state: string; language: string }>(
        server.dependencies.pool,
        sql`select state, language from clients where email = ${email}`,
      )
    expect((await operator('import-clients', path)).text).toContain('1 new, 0 existing, 0 invalid.')
    expect(await written()).toEqual([])
    expect((await operator('import-clients', path, '--apply')).text).toContain('1 imported')
    expect(await written()).toEqual([{ state: 'registering', language: 'de' }])
    expect((await operator('import-clients', path, '--apply')).text).toContain('0 new, 1 existing')
    const mail = await row<{ kind: string }>(
      server.dependencies.pool,
      sql`select payload ->> 'kind' as kind from operations where kind = 'mail' and payload ->> 'to' = ${email}`,
    )
    expect(mail?.kind).toBe('client-invited')
  })

  test('are rejected as a whole if one line is invalid, and each invalid line is listed', async () => {
    const good = `${randomUUID()}@example.com`
    const lines = [
      `${good},Mr.,Jo,Good,DE,en,1984-03-12`,
      'no-address,Mr.,Jo,Bad,DE,en,',
      `${good},Mr.,Jo,Twin,DE,en,`,
      `${randomUUID()}@example.com,Mr.,Jo,Young,DE,en,2020-01-01`,
    ]
    const { succeeded, text } = await operator(
      'import-clients',
      file('clients.csv', heading + lines.join('\n')),
      '--apply',
    )
    expect(succeeded).toBe(false)
    expect(text).toMatch(
      /Line 3: "no-address" is not a valid email address\.\nLine 4: .* twice in the file\.\nLine 5: "2020-01-01"/,
    )
    expect(text).toContain('Nothing was imported.')
    expect(await rows(server.dependencies.pool, sql`select 1 from clients where email = ${good}`)).toEqual([])
  })

  test('have their texts checked and stored as a form does', async () => {
    const columns = 'email,title,name,surname,country,mobilePhone,address,city,postcode\n'
    const email = `${randomUUID()}@example.com`
    const hidden = '\u200b'
    const good = `${email},Mrs.,Hannah${hidden},Brandt,DE,+49 30 1234567,Seestr. 9${hidden},Berlin,10${hidden}115\n`
    const line = (address: string, city: string, postcode: string) =>
      `${randomUUID()}@example.com,Mr.,Jo,Bad,DE,,${address},${city},${postcode}\n`
    const bad = [line('A'.repeat(101), 'Berlin', '10115'), line('', 'B\u202eerlin', '10115'), line('', 'Berlin', '1')]
    const checked = await operator('import-clients', file('clients.csv', columns + good + bad.join('')), '--apply')
    expect(checked.text.split('\n').slice(0, 3)).toEqual([
      `Line 3: address "${'A'.repeat(101)}": Enter 100 characters or fewer.`,
      'Line 4: city "B\u202eerlin": This text contains invisible characters. Delete the text and type it again.',
      'Line 5: postcode "1": Enter a postcode of 3 to 10 characters. If your country has no postcodes, enter 00000.',
    ])
    await operator('import-clients', file('clients.csv', columns + good), '--apply')
    const { pool } = server.dependencies
    expect(
      await row(pool, sql`select name, mobile_phone, address, postcode from clients where email = ${email}`),
    ).toEqual({ name: 'Hannah', mobile_phone: '+49301234567', address: 'Seestr. 9', postcode: '10115' })
  })

  test.each(['\n', '\r\n'])('are named by the line where they begin in a file with line breaks %j', async (end) => {
    const lines = [
      'no-address,Mr.,Jo,Bad,DE,en,',
      '',
      ' ',
      'no-address,Mr.,"Jo',
      'Ann",Bad,DE,en,',
      '',
      'none,Mr.,Jo,Bad,DE,en,',
    ]
    const { text } = await operator('import-clients', file('clients.csv', heading.trim() + end + lines.join(end)))
    expect([...text.matchAll(/^Line (\d+)/gm)].map(([, line]) => line)).toEqual(['2', '5', '8'])
  })

  test('are rejected for unknown columns and for an unreadable file', async () => {
    expect((await operator('import-clients', file('x.csv', 'email,balance\na@b.example,5\n'))).text).toContain(
      'Unknown columns: balance',
    )
    expect((await operator('import-clients', '/nowhere.csv')).text).toContain('could not be read')
  })
})

test('verify checks the audit log, doctor lists stalled operations with the command to run, and retry retries them', async () => {
  expect((await operator('verify')).text).toContain('✓ Audit log')
  const made = await row<{ id: string }>(
    server.dependencies.pool,
    sql`insert into operations (kind, ref, target, payload, state, parked_at, next_try_at, last_error, created_at, tries)
        values ('mail', ${`mail-${randomUUID()}`}, 'mail', '{"kind":"client-invited"}', 'waiting', ${server.clock.now()}, ${server.clock.now()}, 'connection refused', ${server.clock.now()}, 20) returning id`,
  )
  await run(
    server.dependencies.pool,
    sql`insert into work_items (kind, record, state, due_at, created_at) values ('operation', ${made?.id ?? ''}, 'parked', ${server.clock.now()}, ${server.clock.now()})`,
  )
  const sick = await operator('doctor')
  expect(sick.succeeded).toBe(false)
  expect(sick.text).toContain('cause: connection refused')
  expect(sick.text).toContain(`npm run operator -- retry ${made?.id}`)
  expect((await operator('retry', 'all')).text).toContain(`${made?.id}: retried.`)
  expect((await operator('retry', made?.id ?? '')).succeeded).toBe(false)
  const [as, query] = [await makeStaff(server, ['auditor']), { record: made?.id ?? '', verb: 'retry' }]
  const { rows: events } = (await call(server, searchAudit, { as, query })).answer
  expect(events).toMatchObject([{ kind: 'operation', actor: { isOperator: true, name: null }, reason: null }])
  const { bytes } = await call(server, auditCsv, { as, query })
  expect(Buffer.from(bytes).toString()).toMatch(/,operation,retry,,,operator,,,/)
})

test('retry reports an ID that cannot be retried and where to find the IDs', async () => {
  for (const id of ['123', randomUUID()])
    expect(await operator('retry', id)).toEqual({
      succeeded: false,
      text: `${id}: nothing to retry. It is done or running, or this is not the ID of an operation, job or account. To list them: npm run operator -- doctor`,
    })
})

test('doctor shows stalled emails with the same cause in one row, and overdue daily tasks', async () => {
  const now = server.clock.now()
  const day = 86_400_000
  await run(
    server.dependencies.pool,
    sql`insert into operations (kind, ref, target, payload, state, parked_at, next_try_at, last_error, created_at, tries)
        select 'mail', 'mail-' || gen_random_uuid(), 'mail', '{"kind":"client-invited"}', 'waiting', ${now}, ${now}, 'The mail server rejects every email. The mail server answered 554 5.7.1', ${now}, 20
        from generate_series(1, 3)`,
  )
  await run(
    server.dependencies.pool,
    sql`insert into reconciliations (at, accounts, unread, differences) values (${new Date(now.getTime() - 2 * day)}, 9, 4, 0)`,
  )
  const { text } = await operator('doctor')
  expect(text).toContain(
    'emails: 3 (attempts: up to 20) | cause: The mail server rejects every email. The mail server answered “554 5.7.1”.',
  )
  expect(text).toContain('npm run operator -- retry mails')
  expect(text).toContain('! daily reconciliation, last done: 2026-06-17')
  expect(text).toContain('- accounts not read in the last reconciliation: 4')
  expect(text).not.toContain('daily data deletion')
  expect((await operator('retry', 'mails')).text.match(/retried/g)).toHaveLength(3)
  expect((await operator('retry', 'letters')).text).toContain('No stalled operations.')
})

test('npm run doctor counts as many problems as it marks', async () => {
  const now = server.clock.now()
  for (const reason of ['connection refused', 'mailbox full'])
    await run(
      server.dependencies.pool,
      sql`insert into operations (kind, ref, target, payload, state, parked_at, next_try_at, last_error, created_at, tries)
          values ('mail', ${`mail-${randomUUID()}`}, 'mail', '{"kind":"client-invited"}', 'waiting', ${now}, ${now}, ${reason}, ${now}, 20)`,
    )
  const text = await new Promise<string>((done) => {
    execFile(process.execPath, ['scripts/doctor.ts'], { env: { ...process.env, ...server.env } }, (_error, stdout) =>
      done(stdout),
    )
  })
  const marked = text.split('\n').filter((line) => /^[✗!] /.test(line))
  expect(marked.filter((line) => line.startsWith('! email'))).toHaveLength(2)
  expect(text).toContain(`\nProblems found: ${marked.length}.\n`)
})

test('doctor shows transfer rates that are out of date, and since when', async () => {
  const rates = await server.dependencies.settings.get('rates')
  const daysAgo = (days: number) => new Date(server.clock.now().getTime() - days * 86_400_000)
  expect((await operator('doctor')).text).not.toContain('transfer rates')
  await applyRatesAsOf(server, daysAgo(3))
  expect((await operator('doctor')).text).not.toContain('transfer rates')
  await applyRatesAsOf(server, daysAgo(6))
  const { text, succeeded } = await operator('doctor')
  const minutes = (at: Date) => at.toISOString().slice(0, 16)
  expect(text).toContain(
    `! transfer rates of ${minutes(daysAgo(6))}Z | cause: They are older than their maximum age (days: 4).`,
  )
  expect(text).toContain(`cannot be requested since ${minutes(daysAgo(2))}`)
  expect(succeeded).toBe(false)
  await applySetting(server, 'rates', rates)
})

test('roles and settings can only be set here while there are fewer than two active administrators', async () => {
  const staff = await makeStaff(server, ['operations'])
  expect(
    (await operator('set-roles', '--email', staff.email, '--roles', 'finance', '--reason', 'two are missing'))
      .succeeded,
  ).toBe(true)
  const value = file('thresholds.json', JSON.stringify({ EUR: '250.00', GBP: '10000', USD: '10000' }))
  const set = () => operator('set-setting', '--section', 'thresholds', '--file', value, '--reason', 'demo')
  expect((await set()).text).toContain('thresholds: version 1 saved.')
  expect((await set()).text).toContain('The file matches the current setting. Nothing was saved.')
  await makeStaff(server, ['administrator'])
  await makeStaff(server, ['administrator'])
  expect((await set()).text).toContain('There are two active administrators')
  expect(
    (await operator('set-roles', '--email', staff.email, '--roles', 'operations', '--reason', 'x')).text,
  ).toContain('two active administrators')
})

test('without a command the list of commands is printed, and an unknown one fails', async () => {
  expect(await operator()).toMatchObject({ succeeded: true })
  const { succeeded, text } = await operator('nonsense')
  expect([succeeded, text.split('\n')[0]]).toEqual([false, '"nonsense" is not a command.'])
})

test('a missing option is named with an example', async () => {
  for (const [command, missing] of [
    [['create-administrator'], '--email ada@example.com'],
    [['set-setting', '--section', 'thresholds'], '--file value.json'],
    [['set-roles', '--email', 'ada@example.com', '--roles', 'finance'], '--reason "..."'],
  ] as const) {
    const { succeeded, text } = await operator(...command)
    expect([succeeded, text.split('\n')[0]]).toEqual([false, `Add ${missing}.`])
  }
})

test('retention fails and names the data that an error kept; doctor lists it, and the daily deletion repeats it', async () => {
  const { pool } = server.dependencies
  const { id } = await makeClient(server)
  await run(pool, sql`insert into notices (client_id, kind, facts, at) values (${id}, 'x', '{}', '2010-01-01')`)
  const notices = () => rows(pool, sql`select 1 from notices where client_id = ${id}`)
  const owner = new pg.Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  try {
    await owner.query(`create function keep_notices() returns trigger language plpgsql as $$ begin raise 'kept'; end $$;
      create trigger keep before delete on notices for each row execute function keep_notices()`)
    const failed = await operator('retention', '--yes')
    expect(failed.succeeded).toBe(false)
    expect(failed.text).toContain('Failed: notices. Correct the errors above, then repeat the command.')
    // A class that fails for longer than a day is no sign that the daily task did not run.
    await owner.query(`update keys set created_at = '2026-01-01';
      update retention_runs set at = at - interval '3 days' where failed = '{}'`)
    const { text } = await operator('doctor')
    expect(text).toContain('! expired data not deleted: notices | cause: An error.')
    expect(text).not.toContain('daily data deletion')
  } finally {
    await owner.query('drop function keep_notices cascade')
    await owner.end()
  }
  expect(await notices()).toHaveLength(1)
  for (const task of retentionTasks(server.dependencies)) await task.run(server.clock.now())
  expect(await notices()).toHaveLength(0)
  expect((await operator('doctor')).text).not.toContain('expired data not deleted')
})

describe('every command', () => {
  const names = Object.keys(allCommands)
  const everything = async () => {
    const counted = [
      'events',
      'operations',
      'recovery',
      'retention_runs',
      'keys',
      'clients',
      'staff',
      'settings',
      'sessions',
    ]
    const one = (table: string) => sql`select ${table} as table, (select count(*) from ${raw(table)}) as rows`
    return rows(server.dependencies.pool, joined(counted.map(one), ' union all '))
  }

  test.each(names)('%s --help only prints its usage', async (name) => {
    const before = await everything()
    const { succeeded, text } = await operator(name, '--help')
    expect([succeeded, text.trim().startsWith(name)]).toEqual([true, true])
    expect(await everything()).toEqual(before)
  })

  test.each(
    names.flatMap((name) => [
      [name, '--dryrun'],
      [name, '--yess'],
      [name, '-x'],
      [name, ...Array<string>(6).fill('surprise')],
    ]),
  )('rejects unknown arguments: %s %s', async (...argv) => {
    const before = await everything()
    expect((await operator(...argv)).succeeded).toBe(false)
    expect(await everything()).toEqual(before)
  })

  test.each([
    ['retention'],
    ['restored'],
    ['moving'],
    ['keys', 'rotate', 'file'],
    ['keys', 'retire', 'x'],
    ['keys', 'wrap', 'x'],
  ])('that cannot be undone requires --yes: %s %s', async (...argv) => {
    const before = await everything()
    const { succeeded, text } = await operator(...argv)
    expect([succeeded, text]).toEqual([
      false,
      expect.stringContaining('Nothing was done. This cannot be undone. Add --yes'),
    ])
    expect(await everything()).toEqual(before)
  })

  test('that cannot be undone asks for confirmation at a terminal, and runs only after yes', async () => {
    const questions: string[] = []
    const answer = (yes: boolean) => (question: string) => {
      questions.push(question)
      return Promise.resolve(yes)
    }
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    const config = readConfig(server.env)
    const before = await everything()
    expect(await operate(config, ['retention'], print, server.clock.now, answer(false))).toBe(false)
    expect(lines).toEqual(['Nothing was done.'])
    expect(await everything()).toEqual(before)
    expect(await operate(config, ['retention', '--dry-run'], print, server.clock.now, answer(false))).toBe(true)
    expect(questions).toEqual(['"retention" cannot be undone. Enter yes to continue: '])
    expect(await operate(config, ['retention'], print, server.clock.now, answer(true))).toBe(true)
    expect(await everything()).not.toEqual(before)
  })

  test.each(['restored', 'moving'])(
    '%s is rejected while a server of this database runs, and lists that server',
    async (name) => {
      const { succeeded, text } = await operator(name, '--yes')
      expect(succeeded).toBe(false)
      expect(text).toMatch(
        /^Servers are running on this database: number \d+ \(ROLE=all, process \d+ on .+\)\. Stop them/,
      )
    },
  )
})

describe('with the servers stopped', () => {
  test('restored opens recovery and ends all sessions, after which moving and retention are rejected', async () => {
    const own = await startTestServer()
    const client = await makeClient(own)
    const key = file('kept.key', readFileSync(own.dependencies.config.masterKeyFile, 'utf8'))
    const env = { ...own.env, MASTER_KEY_FILE: key }
    const say = async (...argv: string[]) => {
      const lines: string[] = []
      const succeeded = await operate(readConfig(env), argv, (line) => lines.push(line), own.clock.now)
      return { succeeded, text: lines.join('\n') }
    }
    await own.stop()
    expect((await say('moving', '--yes')).succeeded).toBe(true)
    const restored = await say('restored', '--yes')
    expect(restored.text).toContain('npm run operator -- recover --since')
    expect((await say('doctor')).text).toContain('! recovery, open since')
    expect((await say('moving', '--yes')).text).toContain('Recovery is open. Complete it')
    expect((await say('retention', '--yes')).text).toContain('No data is deleted')
    const reader = new pg.Client({ connectionString: own.database.url })
    await reader.connect()
    const { rows: opened } = await reader.query('select sign, state from recovery')
    const { rows: sessions } = await reader.query(
      'select ended_at is null as live from sessions where client_id = $1',
      [client.id],
    )
    await reader.end()
    expect([opened, sessions]).toEqual([[{ sign: 'restored', state: 'open' }], [{ live: false }]])
  })
})
