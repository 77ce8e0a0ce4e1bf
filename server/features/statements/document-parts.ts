/** The parts shared by monthly and yearly statements: page layout and head. */
import { groupByFour } from '#rules/digit-groups.ts'
import { zoneText } from '#rules/trading-days.ts'
import type { Language } from '#rules/choices.ts'
import { createPdf } from '../../pdf/document.ts'
import { momentText } from '../../i18n/format.ts'
import { translate } from '../../i18n/translate.ts'
import type { StatementFacts } from './month-facts.ts'
import { statementLabels } from './statement-labels.ts'

/** In points. */
export const margin = 40

export interface StatementHead {
  readonly firm: string
  readonly client: string
  readonly platform: string
  readonly number: string
  readonly accountType: string
  readonly currency: string
  readonly language: Language
  readonly createdAt: Date
  readonly timeZone: string
}

type LabelText = (label: keyof typeof statementLabels, values?: Readonly<Record<string, string | number>>) => string

export function labelsIn(language: Language): LabelText {
  return (label, values) => translate(statementLabels[label], language, values)
}

/** Returns the platform's clock of a month: "UTC+03:00", or both offsets if it was changed. */
export function clockText(
  { offsetMinutes, clockBefore }: Pick<StatementFacts, 'offsetMinutes' | 'clockBefore'>,
  language: Language,
): string {
  const zone = zoneText(offsetMinutes)
  if (clockBefore === undefined) return zone
  const day = clockBefore.until.replaceAll('-', '/')
  return translate(statementLabels.clocks, language, { before: zoneText(clockBefore.minutes), day, zone })
}

export async function startDocument(head: StatementHead, title: string) {
  const info = { Title: title, Author: head.firm }
  const paper = await createPdf({ size: 'A4', layout: 'landscape', margin, bufferPages: true, info }, head.language)
  paper.page.font('plain').fontSize(9).text(head.firm)
  paper.page.moveDown(0.6).font('strong').fontSize(16).text(title)
  return paper
}

/** Draws client, account, period and time of creation. */
export function drawHead(
  page: PDFKit.PDFDocument,
  head: StatementHead,
  rows: readonly (readonly [label: string, value: string])[],
): void {
  const labelText = labelsIn(head.language)
  const account = [head.platform, groupByFour(head.number), head.accountType, head.currency].join(' · ')
  const created = `${momentText(head.createdAt, head.timeZone)} (${head.timeZone})`
  page.moveDown(0.6)
  for (const [label, value] of [
    [labelText('client'), head.client],
    [labelText('account'), account],
    ...rows,
    [labelText('created'), created],
  ] as const) {
    const top = page.y
    page.font('plain').fontSize(9).fillColor('#5b6467').text(label, margin, top, { width: 90 })
    page.fillColor('black').text(value, margin + 96, top)
  }
  page.x = margin
}
