/**
 * Rules of settings beyond the schema, which the rest of the product relies on. Each check returns a message and a
 * path, or null.
 */
import * as z from 'zod/mini'
import { msg, type Message } from '#contract/message.ts'
import { securityDurations, settingSections, type Setting, type SettingSection } from '#contract/setting-sections.ts'
import { isIban, isSwift } from '#rules/bank-details.ts'
import { countryOf } from '#rules/countries.ts'
import { dueMax } from '#rules/constants.ts'
import { dayOf } from '#rules/dates.ts'
import { groupLengthMax, repeatedRow } from '#rules/platform-groups.ts'
import { isStepUpMinutes } from '#rules/step-up.ts'
import { currencies, minorOf } from '#rules/money.ts'
import type { Language } from '#rules/choices.ts'
import { Problem, problemText } from '../../http/problem.ts'
import { problems, type ProblemCode } from '#contract/problems.ts'
import { translate } from '../../i18n/translate.ts'

/** `at`: the path of the invalid field; the whole section if none. */
export interface SettingError {
  readonly message: Message
  readonly at: string
  readonly values: Values
}
/** Custom texts are shown in the reader's language. */
type Values = Readonly<Record<string, string | number | Readonly<Record<Language, string>>>>
type Checks = { readonly [S in SettingSection]?: (value: Setting<S>) => SettingError | null }

export const settingError = (message: Message, at = 'value', values: Values = {}): SettingError => ({
  message,
  at,
  values,
})
/** SVG is excluded because it may contain a script (ASVS 1.3.4). */
const logoPattern = /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/=]+$/
const logoLengthMax = 200_000
/** A reason may quote names from the request, so it is shortened to a readable length. */
const reportedMax = 300
const staffPasswordFloor = 12
const dueHoursRange = msg`enter a whole number of hours from 1 to {most}`
const dueDaysRange = msg`enter a whole number of working days from 1 to {most}`
const clientPasswordFloor = 6

const checks: Checks = {
  firm({ timeZone, languages, logoUrl, supportEmail }) {
    if (!isTimeZone(timeZone)) return settingError(msg`the time zone is not valid`, 'timeZone')
    if (languages.length === 0) return settingError(msg`at least one language is required`, 'languages')
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(supportEmail))
      return settingError(msg`the support address is not a valid email address`, 'supportEmail')
    if (logoUrl !== null && (logoUrl.length > logoLengthMax || !logoPattern.test(logoUrl))) {
      return settingError(msg`the logo must be an image of up to 150\u00a0kB`, 'logoUrl')
    }
    return null
  },
  notice({ dates }) {
    const wrong = dates.findIndex(
      ({ at }) => !/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/.test(at) || dayOf(at.slice(0, 10)) === null,
    )
    const at = dates[wrong]?.at ?? ''
    return wrong < 0 ? null : settingError(msg`“{at}” is not a valid date`, `dates.${wrong}.at`, { at })
  },
  methods({ deposit, withdrawal }) {
    const ids = [...deposit, ...withdrawal.map((one) => ({ ...one, id: `withdrawal ${one.id}` }))].map(({ id }) => id)
    const twice = ids.find((id, place) => ids.indexOf(id) !== place)
    if (twice !== undefined) return settingError(msg`“{twice}” is listed twice`, 'value', { twice })
    for (const [side, methods] of Object.entries({ deposit, withdrawal }))
      for (const [place, { method, fee, countries }] of methods.entries()) {
        const at = `${side}.${place}`
        const unknownCode = countries.find((code) => countryOf(code) === null)
        if (unknownCode !== undefined)
          return settingError(msg`“{stranger}” is not a country code`, `${at}.countries`, { stranger: unknownCode })
        if (Number(fee.percent) >= 100)
          return settingError(msg`the fee of “{method}” is too high`, `${at}.fee.percent`, { method })
        if (minorOf(fee.flat) === null)
          return settingError(msg`the flat fee of “{method}” has more than 2 decimals`, `${at}.fee.flat`, { method })
      }
    return null
  },
  wireAccounts(accounts) {
    for (const currency of currencies) {
      const { IBAN, BankAccountNumber, SwiftCode } = accounts[currency]
      if (IBAN === '' && BankAccountNumber === '')
        return settingError(msg`the {currency} account has no number`, `${currency}.IBAN`, { currency })
      if (IBAN !== '' && !isIban(IBAN))
        return settingError(msg`the IBAN of the {currency} account is not valid`, `${currency}.IBAN`, { currency })
      if (SwiftCode !== '' && !isSwift(SwiftCode))
        return settingError(msg`the SWIFT/BIC of the {currency} account is not valid`, `${currency}.SwiftCode`, {
          currency,
        })
    }
    return null
  },
  rates({ pairs, asOf, maxAgeDays }) {
    for (const pair of Object.keys(pairs)) {
      const [from, to] = pair.split('/')
      const known = (one: string | undefined) => (currencies as readonly string[]).includes(one ?? '')
      if (!known(from) || !known(to) || from === to)
        return settingError(msg`“{pair}” is not a currency pair`, `pairs.${pair}`, { pair })
    }
    if (maxAgeDays < 1) return settingError(msg`enter at least 1 day`, 'maxAgeDays')
    return asOf !== null && isInstant(asOf)
      ? null
      : settingError(msg`the date and time of the rates are required`, 'asOf')
  },
  countries({ changes }) {
    const wrong = Object.keys(changes).find((code) => countryOf(code) === null)
    return wrong === undefined
      ? null
      : settingError(msg`“{wrong}” is not a country code`, `changes.${wrong}`, { wrong })
  },
  security(security) {
    if (security.passwordLengthMin < clientPasswordFloor)
      return settingError(msg`client passwords need at least 6 characters`, 'passwordLengthMin')
    if (security.staffPasswordLengthMin < staffPasswordFloor)
      return settingError(msg`staff passwords need at least 12 characters`, 'staffPasswordLengthMin')
    const none = securityDurations.find((name) => security[name] < 1)
    if (none !== undefined) return settingError(msg`the minimum is 1`, none)
    if (!isStepUpMinutes(security.proofMinutes))
      return settingError(msg`an identity confirmation is valid for 1 to 60 minutes`, 'proofMinutes')
    if (security.questions.length === 0)
      return settingError(msg`at least one security question is required`, 'questions')
    return null
  },
  platforms({ MT5: { clock } }) {
    if (clock.timeZone === '')
      return clock.hoursAhead === 0
        ? null
        : settingError(msg`the hours ahead require a time zone`, 'MT5.clock.timeZone')
    return isTimeZone(clock.timeZone) ? null : settingError(msg`the time zone is not valid`, 'MT5.clock.timeZone')
  },
  platformGroups({ rows }) {
    for (const [place, { platform, group, country }] of rows.entries()) {
      const most = groupLengthMax[platform]
      if (group.length > most)
        return settingError(msg`a group on {platform} can have up to {most} characters`, `rows.${place}.group`, {
          platform,
          most,
        })
      if (country !== '' && countryOf(country) === null)
        return settingError(msg`“{stranger}” is not a country code`, `rows.${place}.country`, { stranger: country })
    }
    const twice = repeatedRow(rows)
    return twice < 0 ? null : settingError(msg`an earlier row applies to the same accounts`, `rows.${twice}.group`)
  },
  sla({ times, complaintDays, holidays }) {
    for (const [kind, { number, unit }] of Object.entries(times)) {
      const most = dueMax[unit]
      if (!Number.isInteger(number) || number < 1 || number > most)
        return settingError(unit === 'hours' ? dueHoursRange : dueDaysRange, `times.${kind}.number`, { most })
    }
    if (complaintDays < 1) return settingError(msg`the minimum is 1`, 'complaintDays')
    const wrong = holidays.findIndex((day, index) => dayOf(day) === null || holidays.indexOf(day) < index)
    return wrong < 0 ? null : settingError(msg`this day does not exist or is listed twice`, `holidays.${wrong}`)
  },
}

/** "2026-11-21T15:00Z" */
function isInstant(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 16))
}

function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return false
  }
}

/** Reads a section from a request. Throws `setting-invalid` with the first error. */
export function readSection<S extends SettingSection>(section: S, sent: unknown, language: Language): Setting<S> {
  const parsed = z.safeDecode(settingSections[section] as z.ZodMiniType, sent as never)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = (issue?.path.join('.') ?? '').slice(0, reportedMax)
    const code = (issue?.message ?? 'invalid') as ProblemCode
    const limits = issue?.code === 'custom' ? issue.params : undefined
    const text = problemText(code in problems ? code : 'invalid', language, limits)
    throw new Problem('setting-invalid', {
      field: path === '' ? 'value' : path,
      values: { reason: path === '' ? text : `${path}: ${text}` },
    })
  }
  const value = parsed.data as Setting<S>
  const reason = checks[section]?.(value as never) ?? null
  if (reason !== null) throwSettingProblem(reason, language)
  return value
}

/** Throws `setting-invalid` with a message at the invalid field. */
export function throwSettingProblem(reason: SettingError, language: Language): never {
  throw new Problem('setting-invalid', {
    field: reason.at.slice(0, reportedMax),
    values: { reason: sentenceOf(reason, language).slice(0, reportedMax) },
  })
}

function sentenceOf({ message, values }: SettingError, language: Language): string {
  const shown = Object.entries(values).map(([name, one]) => [name, typeof one === 'object' ? one[language] : one])
  return translate(message, language, Object.fromEntries(shown))
}
