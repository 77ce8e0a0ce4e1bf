/** What a section's schema cannot say: what the rest of the product needs of it. Answers a sentence and where, or null. */
import * as z from 'zod/mini'
import { settingSections, type Setting, type SettingSection } from '#contract/setting-sections.ts'
import { isIban, isSwift } from '#rules/bank-details.ts'
import { countryOf } from '#rules/countries.ts'
import { dayOf } from '#rules/dates.ts'
import { isStepUpMinutes } from '#rules/step-up.ts'
import { currencies, minorOf } from '#rules/money.ts'
import { retentionPeriods, findInvalidPeriod } from '#rules/retention.ts'
import type { Language } from '#rules/choices.ts'
import { Problem, problemText } from '../../http/problem.ts'
import { problems, type ProblemCode } from '#contract/problems.ts'

/** `at`: the path of the field that is wrong; the whole section where none is. */
type Why = Readonly<Record<Language, string>> & { readonly at: string }
type Checks = { readonly [S in SettingSection]?: (value: Setting<S>) => Why | null }

const why = (en: string, de: string, at = 'value'): Why => ({ en, de, at })
/** No SVG, which is a document and may carry a script (ASVS 1.3.4). */
const logoPattern = /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/=]+$/
const logoLengthMax = 200_000
/** Names of the sender's own making stand in a reason, so it is cut to what one can read. */
const reportedMax = 300
const staffPasswordFloor = 12
const clientPasswordFloor = 6

const checks: Checks = {
  firm({ timeZone, languages, logoUrl, supportEmail }) {
    if (!isTimeZone(timeZone)) return why('there is no such time zone', 'diese Zeitzone gibt es nicht', 'timeZone')
    if (languages.length === 0) return why('one language is needed', 'eine Sprache wird gebraucht', 'languages')
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(supportEmail))
      return why(
        'the support address is no e-mail address',
        'die Support-Adresse ist keine E-Mail-Adresse',
        'supportEmail',
      )
    if (logoUrl !== null && (logoUrl.length > logoLengthMax || !logoPattern.test(logoUrl))) {
      return why(
        'the logo must be a picture of at most 150 kB',
        'das Logo muss ein Bild mit höchstens 150 kB sein',
        'logoUrl',
      )
    }
    return null
  },
  notice({ dates }) {
    const wrong = dates.findIndex(
      ({ at }) => !/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/.test(at) || dayOf(at.slice(0, 10)) === null,
    )
    const at = dates[wrong]?.at ?? ''
    return wrong < 0 ? null : why(`“${at}” is no day`, `„${at}“ ist kein Tag`, `dates.${wrong}.at`)
  },
  methods({ deposit, withdrawal }) {
    const ids = [...deposit, ...withdrawal.map((one) => ({ ...one, id: `withdrawal ${one.id}` }))].map(({ id }) => id)
    const twice = ids.find((id, place) => ids.indexOf(id) !== place)
    if (twice !== undefined) return why(`“${twice}” stands there twice`, `„${twice}“ kommt doppelt vor`)
    for (const [side, methods] of Object.entries({ deposit, withdrawal }))
      for (const [place, { method, fee, countries }] of methods.entries()) {
        const at = `${side}.${place}`
        const stranger = countries.find((code) => countryOf(code) === null)
        if (stranger !== undefined)
          return why(`“${stranger}” is no country`, `„${stranger}“ ist kein Land`, `${at}.countries`)
        if (Number(fee.percent) >= 100)
          return why(
            `the fee of “${method.en}” is too high`,
            `die Gebühr von „${method.de}“ ist zu hoch`,
            `${at}.fee.percent`,
          )
        if (minorOf(fee.flat) === null)
          return why(
            `the flat fee of “${method.en}” has more than 2 decimals`,
            `die feste Gebühr von „${method.de}“ hat mehr als 2 Nachkommastellen`,
            `${at}.fee.flat`,
          )
      }
    return null
  },
  wireAccounts(accounts) {
    for (const currency of currencies) {
      const { IBAN, BankAccountNumber, SwiftCode } = accounts[currency]
      if (IBAN === '' && BankAccountNumber === '')
        return why(
          `the ${currency} account has no number`,
          `das ${currency}-Konto hat keine Nummer`,
          `${currency}.IBAN`,
        )
      if (IBAN !== '' && !isIban(IBAN))
        return why(
          `the IBAN of the ${currency} account is not valid`,
          `die IBAN des ${currency}-Kontos ist nicht gültig`,
          `${currency}.IBAN`,
        )
      if (SwiftCode !== '' && !isSwift(SwiftCode))
        return why(
          `the SWIFT code of the ${currency} account is not valid`,
          `der SWIFT-Code des ${currency}-Kontos ist nicht gültig`,
          `${currency}.SwiftCode`,
        )
    }
    return null
  },
  rates({ pairs, asOf }) {
    for (const pair of Object.keys(pairs)) {
      const [from, to] = pair.split('/')
      const known = (one: string | undefined) => (currencies as readonly string[]).includes(one ?? '')
      if (!known(from) || !known(to) || from === to)
        return why(`“${pair}” is no pair of currencies`, `„${pair}“ ist kein Währungspaar`, `pairs.${pair}`)
    }
    return asOf === null || isInstant(asOf)
      ? null
      : why(
          'the rates need the day and time that they are of',
          'die Kurse brauchen Tag und Uhrzeit, von wann sie sind',
          'asOf',
        )
  },
  countries({ changes }) {
    const wrong = Object.keys(changes).find((code) => countryOf(code) === null)
    return wrong === undefined ? null : why(`“${wrong}” is no country`, `„${wrong}“ ist kein Land`, `changes.${wrong}`)
  },
  security(security) {
    if (security.passwordLengthMin < clientPasswordFloor)
      return why(
        'clients’ passwords need 6 characters or more',
        'Passwörter von Kunden brauchen mindestens 6 Zeichen',
        'passwordLengthMin',
      )
    if (security.staffPasswordLengthMin < staffPasswordFloor)
      return why(
        'staff passwords need 12 characters or more',
        'Passwörter von Mitarbeitenden brauchen mindestens 12 Zeichen',
        'staffPasswordLengthMin',
      )
    const {
      clientIdleMinutes,
      clientLifeMinutes,
      staffIdleMinutes,
      staffLifeMinutes,
      resetMinutes,
      confirmationHours,
      invitationHours,
    } = security
    const times = {
      clientIdleMinutes,
      clientLifeMinutes,
      staffIdleMinutes,
      staffLifeMinutes,
      resetMinutes,
      confirmationHours,
      invitationHours,
    }
    const none = nameOf(times, (time) => time < 1)
    if (none !== undefined) return why('no time may be 0', 'keine Zeit darf 0 sein', none)
    if (!isStepUpMinutes(security.proofMinutes))
      return why('a proof counts for 1 to 60 minutes', 'ein Nachweis gilt 1 bis 60 Minuten', 'proofMinutes')
    if (security.questions.length === 0)
      return why('one security question is needed', 'eine Sicherheitsfrage wird gebraucht', 'questions')
    return null
  },
  rateLimits(limits) {
    const none = nameOf(limits, (most) => most < 1)
    return none === undefined
      ? null
      : why('a limit of 0 would lock everybody out', 'eine Grenze von 0 würde alle aussperren', none)
  },
  retention(times) {
    const wrong = findInvalidPeriod(times)
    if (wrong === null) return null
    const { least, most } = retentionPeriods[wrong]
    return why(
      `one period may only be from ${least} to ${most}`,
      `eine Frist darf nur von ${least} bis ${most} gehen`,
      wrong,
    )
  },
  dueHours(hours) {
    const none = nameOf(hours, (time) => time < 1)
    return none === undefined ? null : why('no time may be 0', 'keine Frist darf 0 sein', none)
  },
}

function nameOf(numbers: Readonly<Record<string, number>>, isWrong: (one: number) => boolean): string | undefined {
  return Object.entries(numbers).find(([, one]) => isWrong(one))?.[0]
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

/** Reads a section as it was sent. Throws `setting-invalid` with the first thing that is wrong. */
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
  if (reason !== null)
    throw new Problem('setting-invalid', {
      field: reason.at.slice(0, reportedMax),
      values: { reason: reason[language].slice(0, reportedMax) },
    })
  return value
}
