import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Check } from '#contract/office/briefs.ts'
import { type DecisionCheck, getDecisionChecks } from '#contract/office/checks.ts'
import { getDocumentCase } from '#contract/office/documents.ts'
import type { InboxItem } from '#contract/office/inbox.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Checklist, type ChecklistRow } from '#ui/data/checklist.tsx'
import { useCheckRow } from '../../decision/check-labels.tsx'
import { type CheckedKind, isChecked } from '../../decision/decision-checks.tsx'
import { type FoundChecks, useDocumentChecks } from './document-checks.tsx'

interface PreviewChecksProps {
  item: InboxItem
  /** Checks of the client's data. */
  checks: readonly Check[]
}

const nothing: FoundChecks = { failed: [], noted: [], passed: 0 }

/** The checks: failed ones first, passed ones as a count. The record's page shows each with its facts. */
export function PreviewChecks({ item: { kind, record }, checks }: PreviewChecksProps) {
  if (kind === 'document') return <WithDocumentChecks clientId={record} checks={checks} />
  // The checks of a bank transaction depend on the chosen deposit.
  return isChecked(kind) && kind !== 'bank_line' ? (
    <WithDecisionChecks kind={kind} record={record} checks={checks} />
  ) : (
    <Checks checks={checks} found={nothing} />
  )
}

/** Loading the checks of a decision also refreshes the balances. */
function WithDecisionChecks({ kind, record, checks }: { kind: CheckedKind; record: string; checks: readonly Check[] }) {
  const { data, error } = useEndpoint(getDecisionChecks, { kind, id: record })
  return <Checks checks={checks} found={data && decisionChecks(data.checks)} error={error} />
}

function decisionChecks(checks: readonly DecisionCheck[]): FoundChecks {
  const graded = (result: DecisionCheck['result']) =>
    checks.filter((check) => check.result === result && !check.overridden)
  return {
    failed: [...graded('block').map(rowIn('bad')), ...graded('warn').map(rowIn('wait'))],
    noted: [...checks.filter(({ overridden }) => overridden), ...graded('not-carried-out')].map(rowIn('plain')),
    passed: graded('pass').length,
  }
}

/** The checks of all pending documents. */
function WithDocumentChecks({ clientId, checks }: { clientId: string; checks: readonly Check[] }) {
  const { data, error } = useEndpoint(getDocumentCase, { id: clientId })
  const found = useDocumentChecks()
  const pending = data?.case.documents.filter(({ state }) => state === 'pending_approval')
  return <Checks checks={checks} found={pending && found(pending)} error={error} />
}

interface ChecksProps {
  checks: readonly Check[]
  /** Undefined while loading. */
  found: FoundChecks | undefined
  error?: Error | null
}

function Checks({ checks, found, error = null }: ChecksProps) {
  const { t } = useLingui()
  const rowOf = useCheckRow(null)
  const { failed, noted } = found ?? nothing
  const isReading = !found && !error
  const passed = (found ?? nothing).passed + checks.filter(isGood).length
  const rows: ChecklistRow[] = [
    ...(error && !found ? [{ tone: 'bad', title: t`The checks could not be read.` } as const] : []),
    ...failed,
    ...checks.filter(({ verdict }) => verdict !== 'ok').map(rowOf),
    ...noted,
    ...checks.filter(isNotice).map((check): ChecklistRow => ({ ...rowOf(check), tone: 'plain' })),
  ]
  if (passed > 0 && !isReading)
    rows.push({ tone: 'ok', title: <Plural value={passed} one="# passed" other="# passed" /> })
  if (rows.length === 0 && !isReading) return null
  return (
    <section aria-busy={isReading || undefined}>
      <h2 className="title-3 record-side-title">
        <Trans>Checks</Trans>
      </h2>
      {rows.length > 0 && <Checklist checks={rows} />}
      {isReading && <Skeleton width={120} />}
    </section>
  )
}

/** Returns whether a check is a notice, which neither passes nor fails. */
const isNotice = ({ code, verdict }: Check) => code === 'other-requests' && verdict === 'ok'
const isGood = (check: Check) => check.verdict === 'ok' && !isNotice(check)

const rowIn =
  (tone: ChecklistRow['tone']) =>
  ({ title, text }: DecisionCheck): ChecklistRow => ({ tone, title, text })
