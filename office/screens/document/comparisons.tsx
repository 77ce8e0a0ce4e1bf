import { IconAlertTriangle, IconCheck, IconMinus } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { CaseDocument } from '#contract/office/documents.ts'
import { profileLabels } from '#contract/profile-labels.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { calendarDayWords } from '#ui/text/time.tsx'
import { countryName } from '../../decision/country-name.ts'
import { Confidence } from './confidence.tsx'

type Comparison = CaseDocument['comparisons'][number]

/** What the document says and what the client says, line by line; a difference is tinted across. */
export function Comparisons({ document }: { document: CaseDocument }) {
  const { t } = useLingui()
  const label = useLabels(profileLabels)
  const value = useValue()
  const labels: Readonly<Record<Comparison['code'], string>> = {
    surname: label('surname'),
    givenNames: t`Given names`,
    birthDate: label('birthDate'),
    nationality: label('nationality'),
    number: t`Number`,
    expiry: t`Expiry date`,
    issue: t`Date of issue`,
    address: t`Address`,
    country: t`Country`,
  }
  const marks = {
    ok: <IconCheck className="small tone-ok" role="img" aria-label={t`matches`} />,
    differs: <IconAlertTriangle className="small tone-wait" role="img" aria-label={t`differs`} />,
    unknown: <IconMinus className="small faint" role="img" aria-label={t`not compared`} />,
  }
  return (
    <table className="case-checks">
      <thead>
        <tr>
          <th scope="col">
            <span className="unseen">
              <Trans>Result</Trans>
            </span>
          </th>
          <th scope="col">
            <Trans context="what was checked">Check</Trans>
          </th>
          <th scope="col">
            <Trans>On the document</Trans>
          </th>
          <th scope="col">
            <Trans>From the client</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {document.comparisons.map((line) => (
          <tr key={line.code} className={line.verdict}>
            <td>{marks[line.verdict]}</td>
            <td>{labels[line.code]}</td>
            <td>
              {value(line.code, line.document)} <Confidence line={line} />
            </td>
            <td>{value(line.code, line.client)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function useValue(): (code: Comparison['code'], value: string | null) => React.ReactNode {
  const { i18n } = useLingui()
  return (code, value) => {
    if (value === null || value === '') return <span className="faint">–</span>
    if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return calendarDayWords(value, i18n.locale, new Date(0))
    if ((code === 'nationality' || code === 'country') && /^[A-Z]{2}$/.test(value))
      return countryName(value, i18n.locale)
    return value
  }
}
