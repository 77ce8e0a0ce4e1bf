/**
 * The defaults of a new firm: every section of `contract/setting-sections.ts`. Texts are samples that the firm
 * replaces.
 */
import { msg, type Message } from '#contract/message.ts'
import type { Setting, SettingSection } from '#contract/setting-sections.ts'
import { languages, type Language, clientStatuses } from '#rules/choices.ts'
import * as constants from '#rules/constants.ts'
import { paymentMethods, type MethodType } from '#rules/payment-methods.ts'
import { defaultRetentionTimes } from '#rules/retention.ts'
import { defaultDueTimes } from '#rules/work-items.ts'
import { translate, inEachLanguage } from '../i18n/translate.ts'
import { legalTextDefaults } from './default-texts.ts'
import { instantTime, type PaymentMethod } from './payment-methods.ts'
import { accountTypes, platforms } from '#rules/constants.ts'
import { currencies } from '#rules/money.ts'
import { realms, type GroupFacts, type GroupRow } from '#rules/platform-groups.ts'

/**
 * Returns the default group: "real\\pro-ecn-EUR" on MT5, "pro-ecn-EUR" on MT4. All demo accounts of a kind share a
 * group, whatever their owner's category.
 */
function defaultGroup({ platform, realm, type, currency, status }: GroupFacts): string {
  const isProfessional = realm === 'real' && status === 'professional'
  if (platform === 'MT5') return `${realm}\\${isProfessional ? 'pro-' : ''}${type.toLowerCase()}-${currency}`
  return `${isProfessional ? 'pro' : realm}-${type === 'Standard' ? 'std' : 'ecn'}-${currency}`
}

/** A row for each kind of account, for all countries. */
export const defaultGroupRows: readonly GroupRow[] = platforms.flatMap((platform) =>
  realms.flatMap((realm) =>
    accountTypes.flatMap((type) =>
      currencies.flatMap((currency) =>
        clientStatuses.map((status) => {
          const facts = { platform, realm, type, currency, status, country: '' }
          return { ...facts, group: defaultGroup(facts) }
        }),
      ),
    ),
  ),
)

/** Returns the next closure day that has not ended: the notice's dates contain a year and are shown without it. */
function nextClosureDay(now: Date): string {
  const { closureMonth, closureDay } = constants
  const year = now.getUTCFullYear()
  const over = now.getTime() > Date.UTC(year, closureMonth - 1, closureDay + 1)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${over ? year + 1 : year}-${two(closureMonth)}-${two(closureDay)}`
}

function translateLines(...messages: readonly Message[]): Record<Language, string[]> {
  const lines = languages.map((language) => [language, messages.map((one) => translate(one, language))] as const)
  return Object.fromEntries(lines) as Record<Language, string[]>
}

const sameInEachCurrency = <T>(one: T) => ({ EUR: one, GBP: one, USD: one })
const cardFee = { percent: constants.cardFeePercent, flat: '0' }
const instant = inEachLanguage(instantTime)

/** The payment methods of a new firm, in the order in which they are offered. */
const methodDefaults: Readonly<Record<MethodType, Omit<PaymentMethod, 'type' | 'paymentGateway'>>> = {
  cc_gcen: {
    id: 'card',
    method: inEachLanguage(msg`Credit/Debit Card`),
    image: 'credit-card',
    time: instant,
    text: inEachLanguage(msg`You pay on the page of our card provider.`),
    fee: cardFee,
    countries: [],
  },
  wire: {
    id: 'wire',
    method: inEachLanguage(msg`Bank Transfer`),
    image: 'building-bank',
    time: inEachLanguage(msg`2-5 days`),
    text: inEachLanguage(msg`You send the money from your bank.`),
    fee: { percent: constants.bankTransferFeePercent, flat: '0' },
    countries: [],
  },
  ideal: {
    id: 'ideal',
    method: inEachLanguage(msg`iDEAL`),
    image: 'ideal',
    time: instant,
    text: inEachLanguage(msg`You pay in the app of your Dutch bank.`),
    fee: cardFee,
    countries: ['NL'],
  },
  astropay: {
    id: 'astropay',
    method: inEachLanguage(msg`AstroPay`),
    image: 'wallet',
    time: instant,
    text: inEachLanguage(msg`You pay from your AstroPay wallet.`),
    fee: cardFee,
    countries: ['BR', 'CL', 'CO', 'MX', 'PE', 'UY'],
  },
}

function defaultMethod(type: MethodType): PaymentMethod {
  return { ...methodDefaults[type], type, paymentGateway: paymentMethods[type].paymentGateway }
}

const methods: Setting<'methods'> = {
  deposit: (Object.keys(methodDefaults) as MethodType[]).map(defaultMethod),
  withdrawal: [
    {
      ...defaultMethod('wire'),
      text: inEachLanguage(msg`We send the money to your bank account.`),
    },
  ],
}

/** Returns the default value of a section at a time. */
export function settingDefault<S extends SettingSection>(section: S, now: Date): Setting<S> {
  return structuredClone(defaults(now)[section]) as Setting<S>
}

function defaults(now: Date): { [S in SettingSection]: unknown } {
  const closure = nextClosureDay(now)
  return {
    firm: {
      name: 'Calder Row',
      legalName: 'Calder Row Markets Ltd',
      brandColour: '#0b5563',
      logoUrl: null,
      supportEmail: 'support@calder-row.example',
      languages: [...languages],
      timeZone: 'Europe/London',
      referencePrefix: 'CR',
    } satisfies Setting<'firm'>,
    help: {
      phone: '+44 20 7946 0000',
      hours: inEachLanguage(msg`Monday to Friday, 8:00 to 18:00 London time`),
      answers: [
        {
          question: inEachLanguage(msg`How long does a withdrawal take?`),
          answer: inEachLanguage(
            msg`We review each withdrawal within one working day. A bank transfer then takes 2 to 5 days. Transactions History shows where it is.`,
          ),
        },
        {
          question: inEachLanguage(msg`Why was my document not accepted?`),
          answer: inEachLanguage(
            msg`You can see the reason next to the document under Documents. You can upload another one there.`,
          ),
        },
        {
          question: inEachLanguage(msg`I have lost the phone with my authenticator app. What now?`),
          answer: inEachLanguage(
            msg`Log in with one of your recovery codes. If you have none, call us. We will ask your security question and then turn off two-factor authentication.`,
          ),
        },
      ],
    } satisfies Setting<'help'>,
    notice: {
      shown: true,
      title: inEachLanguage(msg`We will cease trading and leave financial services`),
      lines: translateLines(
        msg`We acted outside the regulatory permissions of our principal firm. We will therefore cease trading and leave financial services.`,
        msg`Your funds are returned to the account they came from, once the regulator approves.`,
      ),
      dates: [
        {
          at: closure,
          before: true,
          label: inEachLanguage(msg`Close your open positions`),
        },
        {
          at: `${closure}T${constants.closureHour}:00`,
          before: false,
          label: inEachLanguage(msg`Positions still open are closed automatically`),
        },
      ],
    } satisfies Setting<'notice'>,
    windDown: { deposits: false, newAccounts: false, leverage: false } satisfies Setting<'windDown'>,
    professional: { applicationsOpen: true } satisfies Setting<'professional'>,
    limits: {
      depositMin: sameInEachCurrency(constants.depositMinMinor),
      withdrawalMin: sameInEachCurrency(constants.withdrawalMinMinor),
      transferMin: sameInEachCurrency(constants.transferMinMinor),
      announcedMax: sameInEachCurrency(constants.announcedWiresMinor),
    } satisfies Setting<'limits'>,
    methods,
    wireAccounts: {
      EUR: {
        AccountHolder: 'Calder Row Markets Ltd, client money',
        BankAccountNumber: '',
        SpecialId: '',
        IBAN: 'DE91100000000123456789',
        SwiftCode: 'MARKDEF1100',
        BankName: 'Example Bank AG',
      },
      GBP: {
        AccountHolder: 'Calder Row Markets Ltd, client money',
        BankAccountNumber: '31926819',
        SpecialId: '601613',
        IBAN: 'GB29NWBK60161331926819',
        SwiftCode: 'NWBKGB2LXXX',
        BankName: 'Example Bank plc',
      },
      USD: {
        AccountHolder: 'Calder Row Markets Ltd, client money',
        BankAccountNumber: '',
        SpecialId: '',
        IBAN: 'GB82WEST12345698765432',
        SwiftCode: 'WESTGB2LXXX',
        BankName: 'Example Bank plc',
      },
    } satisfies Setting<'wireAccounts'>,
    thresholds: sameInEachCurrency(constants.dualApprovalMinor) satisfies Setting<'thresholds'>,
    payouts: {
      byUninvolved: true,
      recoveryBankingDays: constants.recoveryBankingDays,
      cutOff: { EUR: '', GBP: '', USD: '' },
    } satisfies Setting<'payouts'>,
    rates: {
      pairs: { 'EUR/USD': '1.0850', 'GBP/USD': '1.2700', 'EUR/GBP': '0.8540' },
      // Samples without a time, at which no transfer is requested: the firm enters its own.
      asOf: null,
      maxAgeDays: constants.transferRateDays,
    } satisfies Setting<'rates'>,
    countries: { changes: {} } satisfies Setting<'countries'>,
    legalTexts: legalTextDefaults satisfies Setting<'legalTexts'>,
    security: {
      passwordLengthMin: constants.passwordLengthMin,
      staffPasswordLengthMin: constants.staffPasswordLengthMin,
      plainPasswords: true,
      clientIdleMinutes: constants.clientSessionIdleSeconds / 60,
      clientLifeMinutes: constants.clientSessionSeconds / 60,
      staffIdleMinutes: constants.staffSessionIdleSeconds / 60,
      staffLifeMinutes: constants.staffSessionSeconds / 60,
      resetMinutes: constants.resetLinkSeconds / 60,
      confirmationHours: constants.confirmationLinkSeconds / 3600,
      invitationHours: constants.invitationLinkSeconds / 3600,
      proofMinutes: constants.stepUpMinutes,
      questions: [
        {
          id: 'first-school',
          text: inEachLanguage(msg`What was the name of your first school?`),
        },
        { id: 'birth-town', text: inEachLanguage(msg`In which town were you born?`) },
        { id: 'first-pet', text: inEachLanguage(msg`What was the name of your first pet?`) },
        {
          id: 'childhood-friend',
          text: inEachLanguage(msg`What was your best childhood friend called?`),
        },
        { id: 'first-job', text: inEachLanguage(msg`Where did you have your first job?`) },
      ],
    } satisfies Setting<'security'>,
    rateLimits: {
      failedSignInsOfPair: constants.signInFailuresPerPair,
      failedSignInsOfAddress: constants.signInFailuresPerAddress,
      registrationsPerHour: constants.registrationsPerHour,
      resetsPerHour: constants.resetsPerHour,
      uploadsPerHour: constants.uploadsPerHour,
      moneyRequestsPerMinute: constants.moneyRequestsPerMinute,
      mailsPerHour: constants.mailsPerHourMax,
      exportsPerHour: constants.exportsPerHour,
      accountRequestsPerHour: constants.accountRequestsPerHour,
    } satisfies Setting<'rateLimits'>,
    checks: {
      identityExpired: 'warn',
      proofOfAddressMonths: 0,
      marginLevelMin: constants.marginLevelMin,
      signInChangeHours: constants.signInChangeHours,
      signInChange: 'block',
    } satisfies Setting<'checks'>,
    decisionsByPerson: {
      shown: false,
      documents: '',
      clients: '',
      money: '',
      enquiries: '',
      other: '',
    } satisfies Setting<'decisionsByPerson'>,
    sla: {
      times: defaultDueTimes,
      complaintDays: constants.complaintDueDays,
      holidays: [],
    } satisfies Setting<'sla'>,
    // The periods are in rules/retention.ts.
    retention: { ...defaultRetentionTimes } satisfies Setting<'retention'>,
    platforms: {
      MT4: { demoServer: 'CalderRow-Demo', liveServer: 'CalderRow-Live', open: true },
      MT5: {
        demoServer: 'CalderRow5-Demo',
        liveServer: 'CalderRow5-Live',
        open: true,
        clock: { timeZone: '', hoursAhead: 0 },
      },
    } satisfies Setting<'platforms'>,
    platformGroups: { rows: [...defaultGroupRows] } satisfies Setting<'platformGroups'>,
  }
}
