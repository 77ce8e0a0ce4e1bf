import { useLingui } from '@lingui/react/macro'
import { type DocumentKind, isIdentityKind } from '#rules/documents.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'
import { useFileUrl } from '#ui/api/upload.ts'
import { dateFormat } from '#ui/text/formats.ts'
import { type Country, countryName } from '../../portal-settings.ts'
import type { DocumentRecord } from '../upload-documents/client-documents.ts'
import { useDocumentLabels } from '../upload-documents/document-labels.tsx'
import './documents.css'

const twoDigits = (value: number) => String(value).padStart(2, '0')

interface ReadOnlyDocumentProps {
  kind: DocumentKind
  record: DocumentRecord
  countries: readonly Country[]
}

/** A document that is being reviewed or is approved, read-only. */
export function ReadOnlyDocument({ kind, record, countries }: ReadOnlyDocumentProps) {
  const { t, i18n } = useLingui()
  const words = useDocumentLabels()[kind]
  const date = dateFormat(i18n.locale, {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(new Date(`${record.expiryYear}-${twoDigits(record.expiryMonth)}-${twoDigits(record.expiryDay)}T00:00:00Z`))
  return (
    <div className="stack">
      {record.status === 'pending_approval' && (
        <Alert kind="run">{t`We are reviewing this document. You can change it after our decision.`}</Alert>
      )}
      <DescriptionList
        rows={[
          { key: t`Country`, value: countryName(countries, record.country) },
          { key: t`Number`, value: record.documentNumber },
          { key: isIdentityKind(kind) ? t`Expiry date` : t`Date of issue`, value: date },
          record.sentAt && { key: t`Sent`, value: <Time at={record.sentAt} /> },
          record.decidedAt && { key: t`Decided`, value: <Time at={record.decidedAt} /> },
        ]}
      />
      <div className="document-pictures">
        <Picture label={words.front} filename={record.documentFront} url={record.documentFrontUrl} />
        <Picture label={words.back} filename={record.documentBack} url={record.documentBackUrl} />
      </div>
    </div>
  )
}

function Picture({ label, filename, url }: { label: string; filename: string | null; url: string | null }) {
  const { t } = useLingui()
  const isPdf = /\.pdf$/i.test(filename ?? '')
  const { address } = useFileUrl(isPdf ? null : url)
  if (!filename || !url) return null
  return (
    <figure>
      {!isPdf && (address ? <img src={address} alt={label} /> : <span className="document-picture-place" />)}
      <figcaption className="size-13 muted">
        {label} · <a className="lone-link" href={url} target="_blank" rel="noopener noreferrer">{t`View`}</a>
      </figcaption>
    </figure>
  )
}
