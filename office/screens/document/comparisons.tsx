import { IconAlertTriangle, IconCheck, IconMinus } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { CaseDocument } from '#contract/office/documents.ts'
import { useComparisonLabel, useComparisonValue } from '../../decision/comparison-labels.tsx'
import { Confidence } from './confidence.tsx'

/** Data of the document and of the client, line by line; differences are highlighted. */
export function Comparisons({ document }: { document: CaseDocument }) {
  const { t } = useLingui()
  const label = useComparisonLabel()
  const value = useComparisonValue()
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
            <span className="unseen">{t`Result`}</span>
          </th>
          <th scope="col">
            <Trans context="what was checked">Check</Trans>
          </th>
          <th scope="col">{t`On the document`}</th>
          <th scope="col">{t`From the client`}</th>
        </tr>
      </thead>
      <tbody>
        {document.comparisons.map((line) => (
          <tr key={line.code} className={line.verdict}>
            <td>{marks[line.verdict]}</td>
            <td>{label(line.code)}</td>
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
