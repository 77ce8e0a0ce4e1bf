import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ClientBrief } from '#contract/office/briefs.ts'
import { officePaths } from '#contract/office-paths.ts'
import { clientFlagLabels } from '#contract/office/flag-labels.ts'
import { type DescriptionRow, DescriptionList } from '#ui/data/description-list.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { Link } from '#ui/navigation/link.tsx'
import { useStatusLabel } from '#ui/data/status-badge.tsx'
import { countryName } from './country-name.ts'

/** The client of a record; the name links to the client's page. */
export function ClientFacts({
  client,
  more = [],
}: {
  client: ClientBrief
  more?: readonly (DescriptionRow | false)[]
}) {
  const { t, i18n } = useLingui()
  const word = useStatusLabel('client')
  return (
    <section>
      <h2 className="title-3 record-section-title">{t`Client`}</h2>
      <DescriptionList
        rows={[
          {
            key: t`Name`,
            value: (
              <>
                <Link href={officePaths.client(client.id)}>{client.name}</Link>{' '}
                <span className="muted numbers">{client.number}</span>
              </>
            ),
          },
          {
            key: t`Status`,
            value: `${word(client.status)} · ${client.clientStatus === 'professional' ? t`Professional Client` : t`Retail Client`}`,
          },
          { key: t`Country`, value: t`${countryName(client.country, i18n.locale)}, risk level ${client.riskLevel}` },
          client.flags.length > 0 && { key: t`Flags`, value: <Flags flags={client.flags} /> },
          ...more,
        ]}
      />
    </section>
  )
}

function Flags({ flags }: { flags: ClientBrief['flags'] }) {
  const word = useLabels(clientFlagLabels)
  return (
    <span className="row wrap">
      {flags.map((flag) => (
        <span key={flag} className={flag === 'watch' ? 'tag wait' : 'tag bad'}>
          {word(flag)}
        </span>
      ))}
    </span>
  )
}

/** A section of a record's page with a heading. */
export function RecordSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h2 className="title-3 record-section-title">{title}</h2>
      {children}
    </section>
  )
}
