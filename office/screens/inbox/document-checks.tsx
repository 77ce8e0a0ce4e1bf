import { Trans } from '@lingui/react/macro'
import type { Check } from '#contract/office/briefs.ts'
import { getDocumentCase, type OfficeDocument } from '#contract/office/documents.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import type { ChecklistRow } from '#ui/data/checklist.tsx'
import { useCheckRow } from '../../decision/check-labels.tsx'
import { useComparisonLabel, useComparisonValue } from '../../decision/comparison-labels.tsx'
import { useDocumentLabel } from '../../decision/document-labels.ts'
import { type FoundChecks, ItemChecks } from './item-checks.tsx'

const tones = { ok: 'ok', differs: 'wait', unknown: 'plain' } as const

/** The checks of all pending documents. */
export function DocumentChecks({ clientId, checks }: { clientId: string; checks: readonly Check[] }) {
  const { data, error } = useEndpoint(getDocumentCase, { id: clientId })
  const found = useDocumentChecks()
  const pending = data?.case.documents.filter(({ state }) => state === 'pending_approval')
  return <ItemChecks checks={checks} found={pending && found(pending)} error={error} />
}

/**
 * Returns the results of the documents' checks, each with the name of its document: failed ones before doubtful ones
 * (requirements 24.72).
 */
function useDocumentChecks(): (documents: readonly OfficeDocument[]) => FoundChecks {
  const rowOf = useCheckRow(null)
  const document = useDocumentLabel()
  const label = useComparisonLabel()
  const value = useComparisonValue()
  const titles = (name: string) => ({
    ok: <Trans>{name} matches</Trans>,
    differs: <Trans>{name} differs</Trans>,
    unknown: <Trans>{name} not compared</Trans>,
  })
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
      tone: tones[verdict],
      title: titles(`${document(kind)}: ${label(code)}`)[verdict],
      text: verdict === 'differs' && (
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
