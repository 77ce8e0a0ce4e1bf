import { describe, expect, test } from 'vitest'
import * as office from '#contract/office/settings.ts'
import { settingSectionNames, type SettingSection } from '#contract/setting-sections.ts'
import { row, run, sql } from '#server/db/sql.ts'
import { call, applySetting, type MadeStaff } from '../../../tests/factories.ts'
import { serverForFile, staffForFile } from '../../../tests/for-file.ts'

const server = serverForFile()
const first = staffForFile(server, ['administrator'])
const second = staffForFile(server, ['administrator'])
const compliance = staffForFile(server, ['compliance'])
const auditor = staffForFile(server, ['auditor'])

const get = async (section: string, as: MadeStaff = first) =>
  (await call(server, office.getSetting, { as, params: { section } })).answer
const save = (as: MadeStaff, section: string, value: unknown, version: number, reason = 'decided by the board') =>
  call(server, office.saveSetting, { as, params: { section }, body: { value, version, reason } })

test('every section is returned with its value and its default in the form in which it is saved', async () => {
  const { sections } = (await call(server, office.listSettings, { as: auditor })).answer
  expect(sections.map(({ section }) => section)).toEqual(settingSectionNames)
  expect(sections.every(({ refusal }) => refusal !== null)).toBe(true)
  for (const section of settingSectionNames) {
    const shown = await get(section)
    if (shown.version === 0) expect(shown.value).toEqual(shown.defaultValue)
  }
})

describe('saving a section', () => {
  test('takes effect immediately and logs values before and after and the reason', async () => {
    const { value, version } = await get('windDown')
    const { answer } = await save(first, 'windDown', { ...(value as object), deposits: true }, version)
    expect(answer).toEqual({ saved: true, version: version + 1, changeId: null })
    expect((await server.dependencies.settings.get('windDown')).deposits).toBe(true)
    const shown = await get('windDown')
    expect(shown.earlier[0]).toMatchObject({
      by: { id: first.id },
      reason: 'decided by the board',
      changes: [{ path: 'deposits', before: 'false', after: 'true' }],
    })
    const logged = await row<{ details: unknown }>(
      server.dependencies.pool,
      sql`select d.details from events e join event_details d on d.event_id = e.id where e.kind = 'settings' order by e.id desc limit 1`,
    )
    expect(logged?.details).toEqual({ section: 'windDown', before: { deposits: 'false' }, after: { deposits: 'true' } })
  })

  test('is rejected on a stale page, without a change, without a reason and with an invalid value', async () => {
    const { value, version } = await get('firm')
    const firm = value as Record<string, unknown>
    expect((await save(first, 'firm', { ...firm, name: 'Other' }, version + 3)).failure.code).toBe('stale-page')
    expect((await save(first, 'firm', firm, version)).failure.code).toBe('setting-unchanged')
    expect((await save(first, 'firm', { ...firm, name: 'Other' }, version, ' ')).failure.code).toBe('reason-required')
    for (const wrong of [
      { timeZone: 'Mars/Base' },
      { brandColour: 'red' },
      { logoUrl: 'https://elsewhere.example/x.png' },
      { logoUrl: 'data:image/svg+xml;base64,PHN2Zy8+' },
      { surprise: 1 },
    ]) {
      expect((await save(first, 'firm', { ...firm, ...wrong }, version)).failure.code).toBe('setting-invalid')
    }
  })

  test('explains in its error which number or text is valid', async () => {
    const refusalOf = async (section: SettingSection, change: object) => {
      const { value, version } = await get(section)
      return (await save(first, section, { ...(value as object), ...change }, version)).failure
    }
    const reasonOf = async (section: SettingSection, change: object) => (await refusalOf(section, change)).error
    const { times } = (await get('sla')).value as { times: object }
    for (const [number, unit, remedy] of [
      [0, 'hours', 'Enter a whole number of hours from 1 to 720.'],
      [721, 'hours', 'Enter a whole number of hours from 1 to 720.'],
      [1.5, 'hours', 'Enter a whole number of hours from 1 to 720.'],
      [91, 'workingDays', 'Enter a whole number of working days from 1 to 90.'],
    ] as const) {
      const refused = await refusalOf('sla', { times: { ...times, withdrawal: { number, unit } } })
      expect([refused.error.toLowerCase(), Object.keys(refused.errors)]).toEqual([
        expect.stringContaining(remedy.toLowerCase().slice(0, -1)),
        ['times.withdrawal.number'],
      ])
    }
    // Text that is not a number is not taken for an empty field.
    for (const [text, remedy] of [
      ['abc', 'Enter a whole number in digits, for example 30.'],
      ['', 'This field is required.'],
    ] as const) {
      const field = 'clientIdleMinutes'
      expect(await refusalOf('security', { [field]: text })).toMatchObject({
        error: expect.stringContaining(remedy),
        errors: { [field]: expect.any(String) },
      })
      expect(await reasonOf('sla', { times: { ...times, withdrawal: { number: text, unit: 'hours' } } })).toContain(
        remedy,
      )
    }
    const unknown = await refusalOf('sla', { times: { ...times, withdrawal: { number: 1, unit: 'weeks' } } })
    expect(Object.keys(unknown.errors)).toEqual(['times.withdrawal.unit'])
    for (const holidays of [['2026-02-30'], ['2026-12-25', '2026-12-25'], ['25.12.2026']])
      expect((await refusalOf('sla', { holidays })).code).toBe('setting-invalid')
    expect(await reasonOf('sla', { holidays: ['2026-02-30'] })).toContain('this day does not exist')
    expect(await reasonOf('firm', { name: 'x'.repeat(81) })).toContain('Enter 80 characters or fewer.')
    for (const referencePrefix of ['FIRM', '', 'C1'])
      expect(await reasonOf('firm', { referencePrefix })).toContain('1 to 3 letters from A to Z')
    for (const rate of ['0.000', '-1', '1,08', ''])
      expect(await reasonOf('rates', { pairs: { 'EUR/USD': rate } })).toContain('EUR/USD: Enter a rate above 0')
    for (const asOf of [null, 'lately', '2026-13-01T10:00Z', '2026-02-30T10:00Z', 'T'])
      expect(await reasonOf('rates', { asOf })).toContain('date and time')
    const { deposit } = (await get('methods')).value as { deposit: { fee: object }[] }
    const withFirst = (change: object) => ({
      deposit: deposit.map((one, place) => (place ? one : { ...one, ...change })),
    })
    expect(await reasonOf('methods', withFirst({ fee: { percent: 'free', flat: '0' } }))).toContain('fee of 0 or more')
    expect(await reasonOf('methods', withFirst({ fee: { percent: '1.123456789', flat: '0.005' } }))).toContain(
      'fee of 0',
    )
    expect(await reasonOf('methods', withFirst({ fee: { percent: '1.12345678', flat: '0.005' } }))).toContain(
      'more than 2 decimals',
    )
    expect(await reasonOf('methods', withFirst({ countries: ['NL', 'XX'] }))).toContain('“XX” is not a country code')
    const dear = await refusalOf('methods', withFirst({ fee: { percent: '120', flat: '0' } }))
    expect([dear.error, Object.keys(dear.errors)]).toEqual([
      expect.stringContaining('is too high'),
      ['deposit.0.fee.percent'],
    ])
    // The error of a number names both limits, whichever was passed.
    for (const [section, field, wrong, limits] of [
      ['retention', 'closedClientYears', [4, 11], 'from 5 to 10'],
      ['retention', 'linkDays', [0, 366], 'from 1 to 365'],
      ['rateLimits', 'failedSignInsOfPair', [0, 10_001], 'from 1 to 10000'],
    ] as const)
      for (const number of wrong)
        expect((await refusalOf(section, { [field]: number })).errors).toEqual({
          [field]: expect.stringMatching(new RegExp(`Enter a whole number ${limits}\\.`)),
        })
  })

  test('puts the due time of one type of work item in force, in its unit', async () => {
    const { value, version } = await get('sla')
    const sla = value as { times: Record<string, unknown> }
    const times = { ...sla.times, withdrawal: { number: 2, unit: 'workingDays' } }
    expect((await save(first, 'sla', { ...sla, times }, version)).status).toBe(200)
    const shown = await get('sla')
    expect(shown.value).toEqual({ ...sla, times })
    expect(shown.earlier[0]?.changes).toEqual([
      { path: 'times.withdrawal.number', before: '24', after: '2' },
      { path: 'times.withdrawal.unit', before: 'hours', after: 'workingDays' },
    ])
  })

  test('succeeds for one of two simultaneous requests', async () => {
    const { value, version } = await get('sla')
    const tries = await Promise.all(
      [10, 11].map((complaintDays) => save(first, 'sla', { ...(value as object), complaintDays }, version)),
    )
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('increments the version of a changed legal text', async () => {
    const { value, version } = await get('legalTexts')
    const texts = structuredClone(value) as Record<string, { version: number; text: { en: string } }>
    const before = texts['terms']?.version ?? 0
    if (texts['terms']) texts['terms'].text.en = 'New terms.'
    await save(first, 'legalTexts', texts, version)
    const after = (await get('legalTexts')).value as typeof texts
    expect(after['terms']?.version).toBe(before + 1)
    expect(after['privacy']?.version).toBe(texts['privacy']?.version)
  })

  test('is allowed to compliance for the countries only, and never to an auditor', async () => {
    const { version } = await get('countries')
    expect((await save(compliance, 'countries', { changes: { FR: { level: 3 } } }, version)).status).toBe(200)
    expect((await save(compliance, 'countries', { changes: { XX: { level: 3 } } }, version + 1)).failure.code).toBe(
      'setting-invalid',
    )
    expect((await save(compliance, 'windDown', {}, 0)).failure.code).toBe('wrong-role')
    expect((await save(auditor, 'countries', {}, 0)).failure.code).toBe('wrong-role')
  })
})

describe('a change that requires dual approval', () => {
  const thresholds = (eur: string) => ({ EUR: eur, GBP: '10000.00', USD: '10000.00' })
  const tenThousand = () => applySetting(server, 'thresholds', { EUR: 1_000_000n, GBP: 1_000_000n, USD: 1_000_000n })

  test('cannot be approved by the person who proposed it and takes effect once another administrator approves it', async () => {
    await tenThousand()
    const { version } = await get('thresholds')
    const { answer } = await save(first, 'thresholds', thresholds('500.00'), version)
    expect(answer.saved).toBe(false)
    const id = answer.changeId ?? ''
    expect((await server.dependencies.settings.get('thresholds')).EUR).toBe(1_000_000n)
    expect((await save(second, 'thresholds', thresholds('700.00'), version)).failure.code).toBe('change-waits')
    const approve = (as: MadeStaff) =>
      call(server, office.approveSettingChange, { as, params: { id }, body: { version: 1, note: '' } })
    expect((await approve(first)).failure.code).toBe('own-act')
    expect((await approve(compliance)).failure.code).toBe('wrong-role')
    expect((await call(server, office.getSettingChange, { as: second, params: { id } })).answer.change.changes).toEqual(
      [{ path: 'EUR', before: '10000.00', after: '500.00' }],
    )
    expect((await approve(second)).answer.state).toBe('approved')
    expect((await server.dependencies.settings.get('thresholds')).EUR).toBe(50_000n)
    expect((await approve(second)).status).toBe(409)
  })

  test.each([
    ['checks', { identityExpired: 'block' }],
    ['security', { proofMinutes: 30 }],
  ] as const)(
    'is also one of the section %s, without which a check could be switched off for one decision',
    async (section, change) => {
      const { value, version, fourEyes } = await get(section)
      expect(fourEyes).toBe(true)
      const { answer } = await save(first, section, { ...(value as object), ...change }, version)
      expect(answer.saved).toBe(false)
      expect(await server.dependencies.settings.get(section)).not.toMatchObject(change)
      const approval = { as: second, params: { id: answer.changeId ?? '' }, body: { version: 1, note: '' } }
      expect((await call(server, office.approveSettingChange, approval)).answer.state).toBe('approved')
      expect(await server.dependencies.settings.get(section)).toMatchObject(change)
    },
  )

  test('is not applied if the section has changed since the proposal', async () => {
    const { version } = await get('thresholds')
    const params = { id: (await save(first, 'thresholds', thresholds('600.00'), version)).answer.changeId ?? '' }
    // An earlier version of the server, or the operator, can make such a change.
    await tenThousand()
    const approval = { as: second, params, body: { version: 1, note: '' } }
    expect((await call(server, office.approveSettingChange, approval)).failure.code).toBe('stale-page')
    expect((await get('thresholds')).version).toBe(version + 1)
    await call(server, office.cancelSettingChange, { as: first, params, body: { version: 1 } })
  })

  test('can be cancelled only by the person who proposed it', async () => {
    const { version } = await get('rates')
    const value = { pairs: { 'EUR/USD': '1.1' }, asOf: '2026-06-19T10:00Z' }
    const id = (await save(first, 'rates', value, version)).answer.changeId ?? ''
    const cancel = (as: MadeStaff) =>
      call(server, office.cancelSettingChange, { as, params: { id }, body: { version: 1, note: 'A wrong rate' } })
    expect((await cancel(second)).failure.code).toBe('not-your-act')
    expect((await cancel(first)).answer.state).toBe('cancelled')
    const { change } = (await call(server, office.getSettingChange, { as: first, params: { id } })).answer
    expect(change.timeline[0]?.reason).toBe('A wrong rate')
    expect((await get('rates')).version).toBe(version)
  })

  test('is rejected while there are fewer than two administrators', async () => {
    await run(server.dependencies.pool, sql`update staff set state = 'invited' where id = ${second.id}`)
    const { version, value } = await get('wireAccounts')
    const accounts = structuredClone(value) as Record<string, { AccountHolder: string }>
    if (accounts['EUR']) accounts['EUR'].AccountHolder = 'Somebody Else'
    expect((await save(first, 'wireAccounts', accounts, version)).failure.code).toBe('second-administrator-missing')
    await run(server.dependencies.pool, sql`update staff set state = 'active' where id = ${second.id}`)
  })
})

test('a preview lists the changes and the colours derived from the brand colour', async () => {
  const { value } = await get('firm')
  const { answer } = await call(server, office.previewSetting, {
    as: first,
    params: { section: 'firm' },
    body: { value: { ...(value as object), brandColour: '#7a1f1f' } },
  })
  expect(answer.changes.map(({ path }) => path)).toEqual(['brandColour'])
  expect(answer.colours?.['brand-fill'] ?? Object.values(answer.colours ?? {})[0]).toMatchObject({
    light: expect.stringMatching(/^#/),
  })
})
