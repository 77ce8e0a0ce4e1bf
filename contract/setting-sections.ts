/**
 * The firm's settings by section, each with its schema and its default (requirements 21.4). Connections are configured
 * by environment variables, never here. Texts are in all languages.
 */
import * as z from 'zod/mini'
import { severities } from '#rules/checks/client-checks.ts'
import { clientStatuses, languages, type Language } from '#rules/choices.ts'
import { methodTypes, paymentGateways } from '#rules/payment-methods.ts'
import { realms } from '#rules/platform-groups.ts'
import { retentionClasses, retentionPeriods, type RetentionClass } from '#rules/retention.ts'
import {
  accountRequestsPerHour,
  accountTypes,
  announcedWiresMinor,
  complaintDueDaysMax,
  exportsPerHour,
  platforms,
  stepUpMinutes,
  stepUpMinutesMax,
  recoveryBankingDays,
  recoveryBankingDaysMax,
  riskLevels,
  holidaysMax,
  transferRateDays,
  transferRateDaysMax,
} from '#rules/constants.ts'
import { defaultDueTimes, dueUnits, timedKinds, type TimedKind } from '#rules/work-items.ts'
import { amount, choice, currency, iban, isoDate, line, missingOr, optionalLine, paragraph } from './fields.ts'

/** Returns the schema of a stored value per language: English is required. */
function storedByLanguage<Value>(one: z.ZodMiniType<Value, Value>) {
  return z.strictObject({ ...byLanguage(() => z.optional(one)), en: one })
}

/**
 * Returns the schema of a value per language. A language that was added later and has no stored value reads as
 * English.
 */
function inEachLanguage<Value>(one: z.ZodMiniType<Value, Value>) {
  return z.codec(storedByLanguage(one), z.strictObject(byLanguage(() => one)), {
    decode: (kept) => byLanguage((language) => kept[language] ?? (kept.en as Value)),
    encode: (shown) => shown,
  })
}

function byLanguage<Value>(valueOf: (language: Language) => Value): Record<Language, Value> {
  return Object.fromEntries(languages.map((language) => [language, valueOf(language)])) as Record<Language, Value>
}

const title = inEachLanguage(line(160) as z.ZodMiniType<string, string>)
/** A name in each language; one stored before there were several languages applies to all. */
const name = z.codec(z.union([line(60), storedByLanguage(line(60) as z.ZodMiniType<string, string>)]), title, {
  decode: (kept) => (typeof kept === 'string' ? { en: kept } : kept),
  encode: (shown) => shown,
})
const shortText = inEachLanguage(paragraph(2000) as z.ZodMiniType<string, string>)
const longText = inEachLanguage(paragraph(20_000) as z.ZodMiniType<string, string>)
const byCurrency = <T extends z.ZodMiniType>(one: T) => z.strictObject({ EUR: one, GBP: one, USD: one })
const feeText = z.string('required').check(z.regex(/^\d{1,9}(\.\d{1,8})?$/, 'fee-invalid'))
/** An exchange rate, never zero. */
const rateText = z.string('required').check(z.regex(/^(?=.*[1-9])\d{1,9}(\.\d{1,8})?$/, 'rate-invalid'))
/** "14:00"; empty for none. */
const timeOfDay = z.string('required').check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/, 'time-of-day'))
/** Returns the schema of a whole number; the problem names its limits. */
const count = (most: number, least = 0) =>
  z.number(missingOr('not-a-number')).check(
    z.refine<number>((value) => Number.isInteger(value) && value >= least && value <= most, {
      error: 'whole-number',
      params: { least, most },
    }),
  )

/** A limit of 0 would reject everyone. */
const rateLimit = count(10_000, 1)

const fee = z.strictObject({ percent: feeText, flat: feeText })
const method = z.strictObject({
  id: line(40),
  /** The English name identifies the method in requests and records. */
  method: name,
  type: choice(methodTypes),
  image: optionalLine(200),
  time: title,
  text: title,
  fee,
  paymentGateway: choice(paymentGateways),
  /** Country codes for which the method is offered; empty for all. */
  countries: z.array(z.string().check(z.regex(/^[A-Z]{2}$/, 'unknown-value'))),
})

const wireAccount = z.strictObject({
  AccountHolder: line(140),
  BankAccountNumber: optionalLine(34),
  SpecialId: optionalLine(20),
  IBAN: iban(42),
  SwiftCode: optionalLine(11),
  BankName: line(140),
})

/** The check of settings knows the maximum in each unit. */
const dueTime = z.strictObject({ number: z.number(missingOr('not-a-number')), unit: choice(dueUnits) })

const legalText = z.strictObject({ version: count(100_000), title, text: longText })

export const settingSections = {
  firm: z.strictObject({
    name: line(80),
    legalName: line(160),
    brandColour: z.string().check(z.regex(/^#[0-9a-f]{6}$/, 'unknown-value')),
    logoUrl: z.nullable(z.string()),
    supportEmail: line(254),
    languages: z.array(choice(languages)),
    timeZone: line(60),
    referencePrefix: z.string().check(z.regex(/^[A-Z]{1,3}$/, 'prefix-too-long')),
  }),
  /** The content of Help, in addition to the support address. */
  help: z.strictObject({
    phone: optionalLine(40),
    hours: shortText,
    answers: z.array(z.strictObject({ question: title, answer: shortText })).check(z.maxLength(30)),
  }),
  notice: z.strictObject({
    shown: z.boolean(),
    title,
    lines: inEachLanguage(z.array(line(600))),
    /** Date and time in the firm's time zone, "YYYY-MM-DDTHH:mm" or a date only, with the event. */
    dates: z.array(z.strictObject({ at: line(20), label: title, before: z.boolean() })),
  }),
  windDown: z.strictObject({ deposits: z.boolean(), newAccounts: z.boolean(), leverage: z.boolean() }),
  professional: z.strictObject({ applicationsOpen: z.boolean() }),
  limits: z.strictObject({
    depositMin: byCurrency(amount),
    withdrawalMin: byCurrency(amount),
    transferMin: byCurrency(amount),
    /**
     * The maximum of wires that a client may announce before they arrive. Settings stored before this field have the
     * default.
     */
    announcedMax: z._default(byCurrency(amount), {
      EUR: announcedWiresMinor,
      GBP: announcedWiresMinor,
      USD: announcedWiresMinor,
    }),
  }),
  methods: z.strictObject({ deposit: z.array(method), withdrawal: z.array(method) }),
  wireAccounts: byCurrency(wireAccount),
  thresholds: byCurrency(amount),
  payouts: z.strictObject({
    /** Whether a payout batch is released by a person who entered and approved none of its payments. */
    byUninvolved: z.boolean(),
    /** Banking days after the start of recovery that bank statements must cover. Older settings have the default. */
    recoveryBankingDays: z._default(count(recoveryBankingDaysMax), recoveryBankingDays),
    /** Until when the bank accepts a payout file on a working day, in the firm’s time zone. For display only. */
    cutOff: z._default(byCurrency(timeOfDay), { EUR: '', GBP: '', USD: '' }),
  }),
  /** "EUR/USD" to the value of one unit of the first currency in the second one, and the time of the rates. */
  rates: z.strictObject({
    pairs: z.record(z.string(), rateText),
    asOf: z.nullable(line(30)),
    /** After this number of days no transfer is requested at the rates. Older settings have the default. */
    maxAgeDays: z._default(count(transferRateDaysMax), transferRateDays),
  }),
  countries: z.strictObject({
    changes: z.record(
      z.string(),
      z.strictObject({
        level: z.optional(z.literal(riskLevels, 'unknown-value')),
        available: z.optional(z.boolean()),
      }),
    ),
  }),
  legalTexts: z.strictObject({
    terms: legalText,
    privacy: legalText,
    riskDisclosure: legalText,
    declaration: legalText,
    clientAssetsDeclaration: legalText,
  }),
  security: z.strictObject({
    passwordLengthMin: count(64),
    staffPasswordLengthMin: count(64),
    plainPasswords: z.boolean(),
    clientIdleMinutes: count(1440),
    clientLifeMinutes: count(10_080),
    staffIdleMinutes: count(1440),
    staffLifeMinutes: count(10_080),
    resetMinutes: count(1440),
    confirmationHours: count(720),
    invitationHours: count(720),
    /** Settings stored before this field have the default. */
    proofMinutes: z._default(count(stepUpMinutesMax), stepUpMinutes),
    questions: z.array(z.strictObject({ id: line(40), text: title })),
  }),
  rateLimits: z.strictObject({
    failedSignInsOfPair: rateLimit,
    failedSignInsOfAddress: rateLimit,
    registrationsPerHour: rateLimit,
    resetsPerHour: rateLimit,
    uploadsPerHour: rateLimit,
    moneyRequestsPerMinute: rateLimit,
    mailsPerHour: rateLimit,
    exportsPerHour: z._default(rateLimit, exportsPerHour),
    accountRequestsPerHour: z._default(rateLimit, accountRequestsPerHour),
  }),
  /** Parameters and severity of checks (requirements 19). */
  checks: z.strictObject({
    identityExpired: choice(severities),
    /** 0 for no limit. */
    proofOfAddressMonths: count(120),
    /** In per cent; 0 for none. */
    marginLevelMin: count(10_000),
    signInChangeHours: count(720),
    signInChange: choice(severities),
  }),
  /**
   * Who may see decisions by person in addition to administrators: the head of each queue, by email, while it is shown.
   */
  decisionsByPerson: z.strictObject({
    shown: z.boolean(),
    documents: optionalLine(254),
    clients: optionalLine(254),
    money: optionalLine(254),
    enquiries: z._default(optionalLine(254), ''),
    other: optionalLine(254),
  }),
  /** Due times by kind of work item, and the firm's calendar (ADR 303). */
  sla: z.strictObject({
    times: z.strictObject(
      Object.fromEntries(
        // Settings stored before a kind was added have its default.
        timedKinds.map((kind) => [kind, z._default(dueTime, defaultDueTimes[kind])]),
      ) as Record<TimedKind, z.ZodMiniDefault<typeof dueTime>>,
    ),
    complaintDays: count(complaintDueDaysMax),
    /** Non-working days in the firm's calendar, in addition to Saturdays and Sundays. */
    holidays: z.array(isoDate).check(z.maxLength(holidaysMax, 'invalid')),
  }),
  retention: z.strictObject(
    Object.fromEntries(
      retentionClasses.map((name) => {
        const { least, most, usual } = retentionPeriods[name]
        // Settings stored before a class was added have its default.
        return [name, z._default(count(most, least), usual)]
      }),
    ) as Record<RetentionClass, z.ZodMiniDefault<ReturnType<typeof count>>>,
  ),
  platforms: z.strictObject({
    MT4: z.strictObject({ demoServer: line(60), liveServer: line(60), open: z.boolean() }),
    MT5: z.strictObject({
      demoServer: line(60),
      liveServer: line(60),
      open: z.boolean(),
      /** The server's clock on days before its first reading; an empty zone for none. Older settings have none. */
      clock: z._default(z.strictObject({ timeZone: optionalLine(60), hoursAhead: count(14) }), {
        timeZone: '',
        hoursAhead: 0,
      }),
    }),
  }),
  /** The platform group in which an account is opened (rules/platform-groups.ts). */
  platformGroups: z.strictObject({
    rows: z
      .array(
        z.strictObject({
          platform: choice(platforms),
          realm: choice(realms),
          type: choice(accountTypes),
          currency,
          status: choice(clientStatuses),
          /** A country's code; empty for every country. */
          country: z.string().check(z.regex(/^([A-Z]{2})?$/, 'unknown-value')),
          group: line(63),
        }),
      )
      .check(z.maxLength(500)),
  }),
} as const

/** The durations of the section `security`, each in the unit that its name ends with. */
export const securityDurations = [
  'clientIdleMinutes',
  'clientLifeMinutes',
  'staffIdleMinutes',
  'staffLifeMinutes',
  'resetMinutes',
  'confirmationHours',
  'invitationHours',
] as const

export type SettingSection = keyof typeof settingSections
/** A section's value as the program uses it: amounts in minor units. */
export type Setting<S extends SettingSection> = z.output<(typeof settingSections)[S]>
export const settingSectionNames = Object.keys(settingSections) as SettingSection[]

/** Sections whose changes wait for a second administrator (requirements 21.3, 24.222). */
export const dualApprovalSections: readonly SettingSection[] = [
  'wireAccounts',
  'thresholds',
  'payouts',
  'rates',
  'retention',
  'platformGroups',
  'checks',
  'security',
]
