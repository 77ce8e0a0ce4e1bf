/** The settings in one response: texts in the reader's language, methods by the client's country. */
import { noticeDate } from '#contract/notice-date.ts'
import { settings, type MethodRecord } from '#contract/settings.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { languageRows, legalTextKeys, type Language } from '#rules/choices.ts'
import { uploadBytesMax } from '#rules/constants.ts'
import { minorOf } from '#rules/money.ts'
import { pipelinedRows } from '../../db/pipelined-reader.ts'
import { row, sql } from '../../db/sql.ts'
import { serializeResponse } from '../../http/fast-encoder.ts'
import type { RequestContext } from '../../http/handler.ts'
import type { Dependencies } from '../../dependencies.ts'
import { dateFormat, numberFormat } from '../../i18n/format.ts'
import { translate } from '../../i18n/translate.ts'
import { offeredMethods, processingTime, type PaymentMethod } from '../../settings/payment-methods.ts'
import { recoveryOf, stoppedChannels } from '../../recovery/stopped-money.ts'

const brandStylesheet = '/brand.css'
const timeOf = (at: Date | null) => (at === null ? null : Math.floor(at.getTime() / 1000))

/** Returns the firm, its notice, its switches and texts; with a client's token the payment methods too. */
export async function showSettings(
  dependencies: Dependencies,
  context: RequestContext,
): Promise<ResponseOf<typeof settings>> {
  const [country, recovery] = await Promise.all([
    clientCountry(dependencies, context),
    context.caller.kind === 'client' ? recoveryOf(dependencies.pool) : null,
  ])
  return {
    ...(await settingsResponse(dependencies, country, context.language)),
    moneyStopped: stoppedChannels(recovery),
  }
}

/** Returns the serialized response to a visitor, which is embedded in the portal's page. */
export async function visitorSettings(
  dependencies: Dependencies,
  language: Language,
): Promise<Record<string, unknown>> {
  return serializeResponse(settings, await settingsResponse(dependencies, null, language))
}

/** `country` is that of the client whose payment methods are shown; without one there are none. */
async function settingsResponse(
  dependencies: Dependencies,
  country: string | null,
  language: Language,
): Promise<ResponseOf<typeof settings>> {
  const get = dependencies.settings.get
  const [firm, security, methods, platforms] = await Promise.all([
    get('firm'),
    get('security'),
    get('methods'),
    get('platforms'),
  ])
  const [windDown, limits, professional] = await Promise.all([get('windDown'), get('limits'), get('professional')])
  const { depositMin, withdrawalMin, transferMin } = limits
  const forCountry = (all: readonly PaymentMethod[]) =>
    country === null
      ? []
      : offeredMethods(all, country, dependencies.config).map((one) => ({
          ...methodRecord(one, language),
          time: processingTime(one, language, dependencies.config),
        }))
  return {
    firm: {
      name: firm.name,
      logoUrl: firm.logoUrl,
      brandColour: firm.brandColour,
      supportEmail: firm.supportEmail,
      languages: firm.languages,
      timeZone: firm.timeZone,
      brandStylesheet,
    },
    notice: await noticeResponse(dependencies, language),
    disabledProfessionalClientApplication: !professional.applicationsOpen,
    windDown,
    limits: { depositMin, withdrawalMin, transferMin, passwordMin: security.passwordLengthMin, uploadBytesMax },
    securityQuestions: security.questions.map(({ id, text }) => ({ id, text: text[language] })),
    legalTexts: await legalTextsResponse(dependencies, language),
    depositMethods: forCountry(methods.deposit),
    withdrawalMethods: forCountry(methods.withdrawal),
    platforms: {
      mt4: { demo: platforms.MT4.demoServer, live: platforms.MT4.liveServer },
      mt5: { demo: platforms.MT5.demoServer, live: platforms.MT5.liveServer },
    },
    plainPasswords: security.plainPasswords,
    demo: dependencies.config.demo,
    moneyStopped: null,
  }
}

/** Returns the country of the signed-in client; null for a visitor or an unconfirmed registration. */
async function clientCountry(
  dependencies: Dependencies,
  { caller }: Pick<RequestContext, 'caller'>,
): Promise<string | null> {
  if (caller.kind !== 'client') return null
  const [found] = await pipelinedRows<{ country: string }>(
    dependencies.pool,
    sql`select country from clients where id = ${caller.clientId}`,
  )
  return found?.country ?? null
}

function methodRecord(method: PaymentMethod, language: Language): Omit<MethodRecord, 'time'> {
  const { id, image, type, paymentGateway, fee } = method
  return {
    id,
    method: method.method[language],
    image,
    fees: feeText(fee.percent, fee.flat, languageRows[language].locale),
    text: method.text[language],
    type,
    paymentGateway,
    feePercent: fee.percent,
    feeFlat: minorOf(fee.flat) ?? 0n,
  }
}

/** Returns "0%", "1.5%" or "1.5% + 2.00", in German "1,5 % + 2,00": the flat part is in the account's currency. */
function feeText(percent: string, flat: string, locale: string): string {
  const share = { style: 'unit', unit: 'percent', maximumFractionDigits: 8 } as const
  const shown = numberFormat(locale, share).format(Number(percent))
  if ((minorOf(flat) ?? 0n) === 0n) return shown
  return `${shown} + ${numberFormat(locale, { minimumFractionDigits: 2 }).format(Number(flat))}`
}

async function noticeResponse(
  dependencies: Dependencies,
  language: Language,
): Promise<ResponseOf<typeof settings>['notice']> {
  const { value: notice, version } = await dependencies.settings.withVersion('notice')
  if (!notice.shown) return null
  const changed =
    version === 0
      ? null
      : await row<{ at: Date }>(dependencies.pool)`
        select from_at as at from settings where section = 'notice' and version = ${version}`
  return {
    title: notice.title[language],
    lines: notice.lines[language],
    dates: notice.dates.map(({ at, before, label }) => ({
      when: noticeDate(at, before, language, {
        translate: (text, values) => translate(text, language, values),
        dateFormat,
      }),
      what: label[language],
    })),
    updated: timeOf(changed?.at ?? null),
  }
}

async function legalTextsResponse(
  dependencies: Dependencies,
  language: Language,
): Promise<ResponseOf<typeof settings>['legalTexts']> {
  const texts = await dependencies.settings.get('legalTexts')
  const entries = legalTextKeys.map((key) => {
    const { version, title, text } = texts[key]
    return [key, { version, title: title[language], text: text[language] }] as const
  })
  return Object.fromEntries(entries) as ResponseOf<typeof settings>['legalTexts']
}
