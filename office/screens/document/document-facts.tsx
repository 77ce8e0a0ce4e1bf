import { Plural, useLingui, Trans } from '@lingui/react/macro'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { dayMs } from '#rules/dates.ts'
import type { CaseDocument } from '#contract/office/documents.ts'
import { isIdentityKind } from '#rules/documents.ts'
import { DescriptionList, type DescriptionRow } from '#ui/data/description-list.tsx'
import { Time, timeText } from '#ui/text/time.tsx'
import { countryName } from '../../decision/country-name.ts'
import { OtherClients } from '../../decision/other-clients.tsx'

/** The rule for a document, other clients with its number, and the metadata of its files. */
export function DocumentFacts({ document }: { document: CaseDocument }) {
  const { t, i18n } = useLingui()
  const accepted = document.checks.find(({ code }) => code === 'accepted')
  const issued = document.checks.find(({ code }) => code === 'issued')
  const place = countryName(document.country, i18n.locale)
  const level = accepted?.ours ?? '–'
  const metadata = useMetadataRows(document)
  return (
    <DescriptionList
      rows={[
        {
          key: t`Accepted in ${place}`,
          value:
            accepted?.verdict === 'ok' ? (
              t`Yes, risk level ${level}`
            ) : (
              <b className="tone-bad">{t`No, risk level ${level}`}</b>
            ),
        },
        isIdentityKind(document.kind)
          ? {
              key: t`Remaining validity`,
              value: document.days < 0 ? <b className="tone-bad">{t`Expired`}</b> : <ValidFor days={document.days} />,
            }
          : {
              key: t`Issued`,
              value: (
                <span className={issued?.verdict === 'ok' ? undefined : 'tone-bad strong'}>
                  <Plural value={document.days} one="# day ago" other="# days ago" />
                </span>
              ),
            },
        {
          key: t`Number used by another client`,
          value:
            document.elsewhere.count === 0 ? (
              t`No`
            ) : (
              <span className="tone-bad strong">
                <OtherClients others={document.elsewhere} />
              </span>
            ),
        },
        !isIdentityKind(document.kind) && { key: t`Number`, value: document.documentNumber || '–' },
        document.earlierRejections > 0 && { key: t`Previous rejections`, value: document.earlierRejections },
        ...metadata,
      ]}
    />
  )
}

/** On average. */
const daysOfMonth = 365.25 / 12

function ValidFor({ days }: { days: number }) {
  const wholeMonths = Math.floor(days / daysOfMonth)
  if (wholeMonths < 2) return <Plural value={days} one="# day" other="# days" />
  const years = Math.floor(wholeMonths / 12)
  const months = wholeMonths % 12
  return (
    <>
      {years > 0 && <Plural value={years} one="# year" other="# years" />}{' '}
      {months > 0 && <Plural value={months} one="# month" other="# months" />}
    </>
  )
}

type Side = NonNullable<CaseDocument['front']>
type Metadata = NonNullable<Side['metadata']>

/** Returns the metadata of a document's files; suspicious values are marked, absent ones omitted. */
function useMetadataRows(document: CaseDocument): DescriptionRow[] {
  const { t } = useLingui()
  const rowsOf = useRowsOfSide()
  const both = document.front !== null && document.back !== null
  const named = (side: Side | null, name: string) =>
    side?.metadata ? rowsOf(side.metadata, side.uploadedAt, both ? ` (${name})` : '') : []
  return [
    ...named(document.front, t({ message: 'Front', context: 'side of a document' })),
    ...named(document.back, t({ message: 'Back', context: 'side of a document' })),
  ]
}

function useRowsOfSide() {
  const { t, i18n } = useLingui()
  return (metadata: Metadata, uploadedAt: Date, side: string): DescriptionRow[] => {
    const { takenAt, software, producer, producedAt, modifiedAt, warnings } = metadata
    const warns = (code: Metadata['warnings'][number]) => warnings.includes(code)
    // The camera's time has no time zone: it is shown unchanged.
    const taken = takenAt === null ? null : new Date(`${takenAt}Z`)
    const days = taken ? Math.round(Math.abs(uploadedAt.getTime() - taken.getTime()) / dayMs) : 0
    const rows: (DescriptionRow | false)[] = [
      taken !== null && {
        key: t`Image taken` + side,
        value: (
          <CheckedValue warns={warns('taken-before') || warns('taken-after')}>
            {timeText(taken, i18n.locale, undefined, 'UTC')}{' '}
            {warns('taken-before') && (
              <Plural value={days} one="(# day before upload)" other="(# days before upload)" />
            )}
            {warns('taken-after') && <Plural value={days} one="(# day after upload)" other="(# days after upload)" />}
          </CheckedValue>
        ),
      },
      software !== null && {
        key: t`Image software` + side,
        value: (
          <CheckedValue warns={warns('image-editor')}>
            <bdi>{software}</bdi> {warns('image-editor') && <Trans>(image editor)</Trans>}
          </CheckedValue>
        ),
      },
      producer !== null && {
        key: t`PDF producer` + side,
        value: (
          <CheckedValue warns={warns('pdf-editor')}>
            <bdi>{producer}</bdi> {warns('pdf-editor') && <Trans>(editing software)</Trans>}
          </CheckedValue>
        ),
      },
      producedAt !== null && { key: t`PDF created` + side, value: <Time at={producedAt} /> },
      modifiedAt !== null && {
        key: t`PDF modified` + side,
        value: (
          <CheckedValue warns={warns('pdf-modified')}>
            <Time at={modifiedAt} /> {warns('pdf-modified') && <Trans>(after it was created)</Trans>}
          </CheckedValue>
        ),
      },
    ]
    return rows.filter((row) => row !== false)
  }
}

function CheckedValue({ warns, children }: { warns: boolean; children: ReactNode }) {
  const { t } = useLingui()
  if (!warns) return children
  return (
    <span className="tone-wait strong">
      <IconAlertTriangle className="small" role="img" aria-label={t`Warning`} /> {children}
    </span>
  )
}
