import { IconAlertTriangle } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { CaseDocument } from '#contract/office/documents.ts'
import type { DescriptionRow } from '#ui/data/description-list.tsx'
import { Time, timeWords } from '#ui/text/time.tsx'

type Side = NonNullable<CaseDocument['front']>
type Metadata = NonNullable<Side['metadata']>

/** Returns the metadata of a document's files; suspicious values are marked, absent ones omitted. */
export function useMetadataRows(document: CaseDocument): DescriptionRow[] {
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
          <Found warns={warns('taken-before') || warns('taken-after')}>
            {timeWords(taken, i18n.locale, undefined, 'UTC')}{' '}
            {warns('taken-before') && (
              <Plural value={days} one="(# day before upload)" other="(# days before upload)" />
            )}
            {warns('taken-after') && <Plural value={days} one="(# day after upload)" other="(# days after upload)" />}
          </Found>
        ),
      },
      software !== null && {
        key: t`Image software` + side,
        value: (
          <Found warns={warns('image-editor')}>
            <bdi>{software}</bdi> {warns('image-editor') && <Trans>(image editor)</Trans>}
          </Found>
        ),
      },
      producer !== null && {
        key: t`PDF producer` + side,
        value: (
          <Found warns={warns('pdf-editor')}>
            <bdi>{producer}</bdi> {warns('pdf-editor') && <Trans>(editing software)</Trans>}
          </Found>
        ),
      },
      producedAt !== null && { key: t`PDF created` + side, value: <Time at={producedAt} /> },
      modifiedAt !== null && {
        key: t`PDF modified` + side,
        value: (
          <Found warns={warns('pdf-modified')}>
            <Time at={modifiedAt} /> {warns('pdf-modified') && <Trans>(after it was created)</Trans>}
          </Found>
        ),
      },
    ]
    return rows.filter((row) => row !== false)
  }
}

const dayMs = 86_400_000

function Found({ warns, children }: { warns: boolean; children: ReactNode }) {
  const { t } = useLingui()
  if (!warns) return children
  return (
    <span className="tone-wait strong">
      <IconAlertTriangle className="small" role="img" aria-label={t`Warning`} /> {children}
    </span>
  )
}
