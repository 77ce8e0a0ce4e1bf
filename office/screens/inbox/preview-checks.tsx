import type { Check } from '#contract/office/briefs.ts'
import { type CheckedKind, type DecisionCheck, getDecisionChecks, isChecked } from '#contract/office/checks.ts'
import type { InboxItem } from '#contract/office/inbox.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import type { ChecklistRow } from '#ui/data/checklist.tsx'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { type CheckGrade, gradeOf } from '../../decision/check-grades.ts'
import { type FoundChecks, ItemChecks, noChecks } from './item-checks.tsx'

const DocumentChecks = lazyPart(async () => (await import('./dialogs.ts')).DocumentChecks)

interface PreviewChecksProps {
  item: InboxItem
  /** The warnings from the client's data. */
  checks: readonly Check[]
}

/** The checks: failed ones first, passed ones as a count. The record's page shows each with its facts. */
export function PreviewChecks({ item: { kind, record }, checks }: PreviewChecksProps) {
  if (kind === 'document') return <DocumentChecks clientId={record} checks={checks} />
  // The checks of a bank transaction depend on the chosen deposit.
  return isChecked(kind) && kind !== 'bank_line' ? (
    <WithDecisionChecks kind={kind} record={record} checks={checks} />
  ) : (
    <ItemChecks checks={checks} found={noChecks} />
  )
}

/** Loading the checks of a decision also refreshes the balances. */
function WithDecisionChecks({ kind, record, checks }: { kind: CheckedKind; record: string; checks: readonly Check[] }) {
  const { data, error } = useEndpoint(getDecisionChecks, { kind, id: record })
  return <ItemChecks checks={checks} found={data && decisionChecks(data.checks)} error={error} />
}

function decisionChecks(checks: readonly DecisionCheck[]): FoundChecks {
  const graded = (grade: CheckGrade) => checks.filter((check) => gradeOf(check) === grade)
  return {
    failed: [...graded('block').map(blockRow), ...graded('warn').map(rowIn('wait'))],
    noted: [...graded('overridden'), ...graded('not-carried-out')].map(rowIn('plain')),
    passed: graded('pass').length,
  }
}

/** A block, with the role that can override it. */
const blockRow = ({ title, text, wayOut }: DecisionCheck): ChecklistRow => ({
  tone: 'block',
  title,
  text: wayOut === null ? text : `${text} ${wayOut}`,
})

const rowIn =
  (tone: ChecklistRow['tone']) =>
  ({ title, text }: DecisionCheck): ChecklistRow => ({ tone, title, text })
