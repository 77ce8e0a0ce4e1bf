import { Plural, useLingui } from '@lingui/react/macro'
import type { CaseDocument } from '#contract/office/documents.ts'
import { isIdentityKind } from '#rules/documents.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { countryName } from '../../decision/country-name.ts'
import { OtherClients } from '../../decision/other-clients.tsx'
import { useMetadataRows } from './metadata-rows.tsx'

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
              t`None`
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
