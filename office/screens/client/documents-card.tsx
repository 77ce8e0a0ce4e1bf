import { Trans, useLingui } from '@lingui/react/macro'
import type { OfficeClient } from '#contract/office/clients.ts'
import { officePaths } from '#contract/office-paths.ts'
import { isIdentityKind } from '#rules/documents.ts'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Table } from '#ui/data/table.tsx'
import { calendarDayText, Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { useCanRead } from '../../session.ts'
import { useDocumentLabel } from '../../decision/document-labels.ts'
import { Thumbnail } from '../../decision/thumbnail.tsx'
import { useValueText } from './field-labels.ts'

/** Submitted documents and their status, with thumbnails; the documents page shows them in large. */
export function DocumentsCard({ client }: { client: OfficeClient }) {
  const { t, i18n } = useLingui()
  const word = useDocumentLabel()
  const text = useValueText()
  const readsDocuments = useCanRead('documents')
  const validity = ({ kind, date }: OfficeClient['documents'][number]) => {
    const day = calendarDayText(date, i18n.locale)
    return isIdentityKind(kind) ? day : t`issued ${day}`
  }
  return (
    <section className="sheet">
      <header>
        <h2>{t`Documents`}</h2>
        {readsDocuments && client.documents.length > 0 && (
          <Link href={officePaths.document(client.id)}>{t`View images and data`}</Link>
        )}
      </header>
      <Table
        caption={t`Documents`}
        rows={client.documents}
        rowKey={(document) => document.id}
        instead={client.documents.length === 0 ? <EmptyState title={<Trans>No uploads yet</Trans>} /> : undefined}
        columns={[
          {
            head: t`Document`,
            phone: 'title',
            cell: (document) => (
              <span className="client-document">
                <Thumbnail fileId={document.thumbnailFileId}>
                  {document.thumbnailFileId && <i className="thumbnail" />}
                </Thumbnail>
                <b className="strong">{word(document.kind)}</b>
              </span>
            ),
          },
          { head: t`Country`, cell: (document) => text('country', document.country) },
          {
            head: t`Number`,
            phone: 'figure',
            cell: (document) => <span className="numbers">{document.documentNumber || '–'}</span>,
          },
          {
            head: t`Valid until`,
            cell: validity,
          },
          {
            head: t`Sent`,
            phone: 'time',
            cell: (document) => {
              const date = validity(document)
              return (
                <>
                  <Time at={document.sentAt} />
                  <span className="phone-line">
                    {text('country', document.country)} ·{' '}
                    {isIdentityKind(document.kind) ? t`valid until ${date}` : date}
                  </span>
                </>
              )
            },
          },
          {
            head: t`Status`,
            phone: 'status',
            cell: (document) => (
              <>
                <StatusBadge record="document" state={document.state} />
                {document.reason && (
                  <p className="muted">
                    <UserText>{document.reason}</UserText>
                  </p>
                )}
              </>
            ),
          },
        ]}
      />
    </section>
  )
}
