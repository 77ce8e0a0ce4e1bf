import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Check } from '#contract/office/briefs.ts'
import { type DecisionCheck, getDecisionChecks } from '#contract/office/checks.ts'
import type { InboxItem } from '#contract/office/inbox.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Checklist, type ChecklistRow } from '#ui/data/checklist.tsx'
import { useCheckRow } from '../../decision/check-labels.tsx'
import { type CheckedKind, isChecked } from '../../decision/decision-checks.tsx'

interface PreviewChecksProps {
  item: InboxItem
  /** What is known of the client. */
  checks: readonly Check[]
}

/** What was checked: failed checks first, those that passed as a count. The record's page has each with its facts. */
export function PreviewChecks({ item: { kind, record }, checks }: PreviewChecksProps) {
  // The checks of a bank transaction are known once its deposit is chosen.
  return isChecked(kind) && kind !== 'bank_line' ? (
    <WithDecisionChecks kind={kind} record={record} checks={checks} />
  ) : (
    <Checks checks={checks} />
  )
}

/** Reading the checks of a decision reads the balances again. */
function WithDecisionChecks({ kind, record, checks }: { kind: CheckedKind; record: string; checks: readonly Check[] }) {
  const { t } = useLingui()
  const { data, error } = useEndpoint(getDecisionChecks, { kind, id: record })
  const unread: ChecklistRow[] = error && !data ? [{ tone: 'bad', title: t`The checks could not be read.` }] : []
  return <Checks checks={checks} ofDecision={data?.checks} unread={unread} isReading={!data && !error} />
}

function Checks({
  checks,
  ofDecision = [],
  unread = [],
  isReading = false,
}: {
  checks: readonly Check[]
  ofDecision?: readonly DecisionCheck[] | undefined
  unread?: readonly ChecklistRow[]
  /** How many passed is not known yet. */
  isReading?: boolean
}) {
  const rowOf = useCheckRow(null)
  const graded = (result: DecisionCheck['result']) =>
    ofDecision.filter((check) => check.result === result && !check.overridden)
  const passed = graded('pass').length + checks.filter(isGood).length
  const rows: ChecklistRow[] = [
    ...unread,
    ...graded('block').map(rowIn('bad')),
    ...graded('warn').map(rowIn('wait')),
    ...checks.filter(({ verdict }) => verdict !== 'ok').map(rowOf),
    ...ofDecision.filter(({ overridden }) => overridden).map(rowIn('plain')),
    ...graded('not-carried-out').map(rowIn('plain')),
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

/** What is worth knowing, and neither passed nor failed. */
const isNotice = ({ code, verdict }: Check) => code === 'other-requests' && verdict === 'ok'
const isGood = (check: Check) => check.verdict === 'ok' && !isNotice(check)

const rowIn =
  (tone: ChecklistRow['tone']) =>
  ({ title, text }: DecisionCheck): ChecklistRow => ({ tone, title, text })
