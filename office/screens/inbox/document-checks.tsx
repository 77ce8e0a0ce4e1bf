import { Trans } from '@lingui/react/macro'
import type { OfficeDocument } from '#contract/office/documents.ts'
import type { ChecklistRow } from '#ui/data/checklist.tsx'
import { useCheckRow } from '../../decision/check-labels.tsx'
import { useComparisonLabel, useComparisonValue } from '../../decision/comparison-labels.tsx'
import { useDocumentLabel } from '../../decision/document-labels.ts'

/** The results of an item's checks. */
export interface FoundChecks {
  readonly failed: readonly ChecklistRow[]
  /** Neither passed nor failed. */
  readonly noted: readonly ChecklistRow[]
  readonly passed: number
}

/**
 * Returns the results of the documents' checks, each with the name of its document: failed ones before doubtful ones
 * (requirements 24.72).
 */
export function useDocumentChecks(): (documents: readonly OfficeDocument[]) => FoundChecks {
  const rowOf = useCheckRow(null)
  const document = useDocumentLabel()
  const label = useComparisonLabel()
  const value = useComparisonValue()
  const rowsOf = ({ kind, checks, comparisons }: OfficeDocument): ChecklistRow[] => [
    ...checks.map((check) => {
      const row = rowOf(check)
      return {
        ...row,
        title: (
          <>
            {document(kind)}: {row.title}
          </>
        ),
      }
    }),
    ...comparisons.map(({ code, verdict, document: read, client }): ChecklistRow => ({
      tone: verdict === 'differs' ? 'wait' : verdict === 'ok' ? 'ok' : 'plain',
      title: (
        <Trans>
          {document(kind)}: {label(code)} differs
        </Trans>
      ),
      text: (
        <Trans>
          {value(code, read)}, not {value(code, client)}
        </Trans>
      ),
    })),
  ]
  return (documents) => {
    const rows = documents.flatMap(rowsOf)
    const of = (tone: ChecklistRow['tone']) => rows.filter((row) => row.tone === tone)
    return { failed: [...of('bad'), ...of('wait')], noted: [], passed: of('ok').length }
  }
}
