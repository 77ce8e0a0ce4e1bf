/**
 * Renders bank transfer details as a PDF: one A4 page with the details in the order of a bank's form, then the purpose.
 */
import { groupByFour } from '#rules/digit-groups.ts'
import { money, type Currency } from '#rules/money.ts'
import type { Language } from '#rules/choices.ts'
import { wireLabels, wireRows } from '../../mail/templates/deposits.ts'
import { createPdf } from '../../pdf/document.ts'
import { amountText } from '../../i18n/format.ts'
import { translate } from '../../i18n/translate.ts'
import type { WireAccount } from './queries.ts'

const pointsPerMillimetre = 72 / 25.4
const labelWidth = 140
const valueWidth = 320

export interface WireDocument {
  readonly firm: string
  readonly details: WireAccount & { readonly BankReference: string }
  readonly amountMinor: bigint
  readonly currency: Currency
  /** The trading account to be credited. */
  readonly login: string
  /** The last day for the payment, formatted. */
  readonly until: string
  readonly language: Language
}

/** Returns the bytes of the PDF. */
export async function render(wire: WireDocument): Promise<Buffer> {
  const { firm, details, login, until, language } = wire
  const title = translate(wireLabels.title, language)
  const left = 20 * pointsPerMillimetre
  const { page, printed } = await createPdf(
    { size: 'A4', margin: left, info: { Title: title, Author: firm } },
    language,
  )
  page.font('plain').fontSize(11).text(firm)
  page.moveDown(2).font('strong').fontSize(18).text(title)
  page.moveDown(1)
  const amount = amountText(money(wire.amountMinor, wire.currency), language)
  for (const [name, value] of wireRows({ ...withGroupedIban(details) }, amount, language)) {
    const top = page.y
    page.font('plain').fontSize(11).text(name, left, top, { width: labelWidth })
    page.font('strong').text(value, left + labelWidth + 10, top, { width: valueWidth })
    page.moveDown(0.6)
  }
  page.moveDown(1).font('plain').text(translate(wireLabels.hint, language), left)
  page.moveDown(0.6).text(translate(wireLabels.until, language, { account: groupByFour(login), day: until }))
  page.end()
  return printed
}

/** Groups an IBAN by four characters for print. */
function withGroupedIban<Details extends { readonly IBAN: string }>(details: Details): Details {
  return { ...details, IBAN: details.IBAN.replaceAll(' ', '').replace(/.{4}(?=.)/g, '$& ') }
}
