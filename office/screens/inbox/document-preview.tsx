import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { getDocumentCase, type OfficeDocument } from '#contract/office/documents.ts'
import { isIdentityKind } from '#rules/documents.ts'
import { canSeeDocuments } from '#rules/permissions.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { calendarDayText } from '#ui/text/time.tsx'
import { useDocumentLabel } from '../../decision/document-labels.ts'
import { Thumbnail } from '../../decision/thumbnail.tsx'
import { useStaff } from '../../session.ts'

/** The documents of a case with the results of their checks, and their first pages. */
export function DocumentPreview({ clientId }: { clientId: string }) {
  const { t, i18n } = useLingui()
  const word = useDocumentLabel()
  const { data } = useEndpoint(getDocumentCase, { id: clientId })
  const documents = data?.case.documents.filter(({ state }) => state === 'pending_approval') ?? []
  const columns: Column<OfficeDocument>[] = [
    { head: t`Document`, phone: 'title', cell: ({ kind }) => <span className="strong">{word(kind)}</span> },
    { head: t`Checks`, phone: 'time', cell: (document) => <Found document={document} /> },
    { head: t`Number`, cell: ({ documentNumber }) => <span className="numbers">{documentNumber || '–'}</span> },
    {
      head: t`Valid until`,
      cell: ({ kind, date }) => {
        const day = calendarDayText(date, i18n.locale)
        return isIdentityKind(kind) ? day : t`issued ${day}`
      },
    },
    { head: t`Status`, phone: 'status', cell: ({ state }) => <StatusBadge record="document" state={state} /> },
  ]
  const { staff } = useStaff()
  // An auditor first gives a reason, on the documents page.
  const seesPictures = canSeeDocuments(staff.roles)
  if (documents.length === 0) return null
  return (
    <>
      <Table caption={t`Pending documents`} columns={columns} rows={documents} rowKey={({ id }) => id} />
      {seesPictures && (
        <div className="preview-pictures">
          {documents.map((document) => (
            <Pictures key={document.id} document={document} name={word(document.kind)} />
          ))}
        </div>
      )}
    </>
  )
}

function Found({ document: { comparisons, checks } }: { document: OfficeDocument }) {
  const { t } = useLingui()
  const all = [...comparisons, ...checks].filter(({ verdict }) => verdict !== 'unknown')
  const right = all.filter(({ verdict }) => verdict === 'ok').length
  const good = right === all.length
  return (
    <span className={good ? 'tone-ok strong' : 'tone-wait strong'}>
      {good ? (
        <IconCheck className="small" aria-hidden="true" />
      ) : (
        <IconAlertTriangle className="small" aria-hidden="true" />
      )}{' '}
      {t`${right} of ${all.length}`}
    </span>
  )
}

/** The first page of each side; of two the caption names which. */
function Pictures({ document: { front, back }, name }: { document: OfficeDocument; name: string }) {
  const { t } = useLingui()
  const sides = [
    { side: front, label: t({ message: 'Front', context: 'side of a document' }) },
    { side: back, label: t({ message: 'Back', context: 'side of a document' }) },
  ]
  return sides.map(
    ({ side, label }) =>
      side && <Picture key={side.fileId} side={side} name={front && back ? `${name}, ${label}` : name} />,
  )
}

function Picture({ side, name }: { side: NonNullable<OfficeDocument['front']>; name: string }) {
  return (
    <figure>
      <Thumbnail fileId={side.state === 'clean' ? side.fileId : null} name={name}>
        <div className="preview-place" />
      </Thumbnail>
      <figcaption>
        {name}
        {side.pages > 1 && (
          <>
            {', '}
            <Trans>page 1 of {side.pages}</Trans>
          </>
        )}
      </figcaption>
    </figure>
  )
}
