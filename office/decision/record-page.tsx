import { IconChevronLeft, IconChevronRight, IconEye } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Colleague } from '#contract/office/briefs.ts'
import { isChecked } from '#contract/office/checks.ts'
import { assignItem, listInbox } from '#contract/office/inbox.ts'
import { unassigned } from '#contract/office/inbox-filter.ts'
import { pathOfWorkItem } from '#contract/office-paths.ts'
import type { Money as Amount } from '#rules/money.ts'
import { type WorkItemKind, workItemAreas } from '#rules/work-items.ts'
import { listFormat } from '#ui/text/formats.ts'
import { Button, IconButton } from '#ui/forms/button.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import type { ApiError } from '#ui/api/api-error.ts'
import { useItemKeyGuard } from '#ui/navigation/item-key-guard.ts'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { Money, moneyText } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { useWide } from '#ui/layout/use-wide.ts'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { useChanges } from '../layout/changes.ts'
import { useAbsenceLabel } from '../records/absence.tsx'
import { showUndoToast } from '../records/undo-toast.tsx'
import { markOfState } from '../records/state-marks.ts'
import { useCanDo, useStaff } from '../session.ts'
import { CheckLabels } from './check-labels.tsx'
import { DecisionChecks } from './decision-checks.tsx'
import type { Acknowledging, Decision, OfficeRecord, UseDecision } from './decision.tsx'
import { DecisionError, canApprove, RecordDecisions } from './decision-buttons.tsx'
import { DueBy } from './due-labels.tsx'
import { RecordTimeline } from './record-timeline.tsx'
import { useViewers } from './use-viewers.ts'
import './decision.css'

interface RecordPageProps {
  kind: WorkItemKind
  record: OfficeRecord
  /** "Withdrawal · WD-20417". */
  section: ReactNode
  title: string
  /** The h1 if it is more than a text, such as an amount. */
  heading?: ReactNode
  deciding: UseDecision
  decisions: readonly Decision[]
  /** The consequences of the decision: who is notified, what is paid, and until when it can be undone. */
  sentence: ReactNode
  /** The acknowledged checks, if the record is still to be decided. */
  acknowledging?: Acknowledging
  /** Of bank details: the account holder as being entered. */
  holder?: string | undefined
  /** The status, if the record has words of its own for it. */
  status?: ReactNode
  /** On the right, above the checks and the history. */
  side?: ReactNode
  /** What comes first; on a narrow window the checks of the decision follow it. */
  lead?: ReactNode
  children: ReactNode
}

/** The page of one record: its facts on the left, checks and history on the right, the decision always visible. */
export function RecordPage({
  kind,
  record,
  section,
  title,
  heading,
  deciding,
  decisions,
  sentence,
  acknowledging,
  holder,
  status,
  side,
  lead,
  children,
}: RecordPageProps) {
  const { t } = useLingui()
  const wide = useWide()
  useWindowTitle(title)
  useFreshRecord(record.id)
  useItemKeyGuard(record.id)
  const viewers = useViewers(record.item?.id ?? null, record.viewers)
  // A decided record has none; while those of bank details are loading, their sheet stays.
  const hasChecks = (record.decisionChecks?.length ?? 0) > 0 || acknowledging !== undefined
  const checks = record.decisionChecks && hasChecks && isChecked(kind) && (
    <DecisionChecks
      kind={kind}
      record={record.id}
      holder={holder}
      checks={record.decisionChecks}
      acknowledging={canApprove(record, decisions) ? acknowledging : undefined}
    />
  )
  const checksFollowLead = lead !== undefined && !wide
  return (
    <OfficePage
      bar={
        <RecordDecisions kind={kind} record={record} decisions={decisions} deciding={deciding}>
          {sentence}
        </RecordDecisions>
      }
      side={
        <>
          {side}
          {!checksFollowLead && checks}
          {record.checks.length > 0 && (
            <section>
              <h2 className="title-3 record-side-title">
                {kind === 'transfer' ? t`Exchange rate` : record.decisionChecks ? t`More details` : t`Checks`}
              </h2>
              <CheckLabels checks={record.checks} currency={currencyOf(record)} />
            </section>
          )}
          <section>
            <h2 className="title-3 record-side-title">{t`History`}</h2>
            <RecordTimeline record={record} />
          </section>
        </>
      }
    >
      <header className="record-head">
        <div className="row between wrap">
          <p className="section-name">{section}</p>
          <QueuePosition kind={kind} record={record.id} />
        </div>
        <div className="row between wrap record-title">
          {heading ?? <h1>{title}</h1>}
          <div className="record-state">
            {record.item && <ItemAssignment record={record} />}
            {status ?? <StatusBadge record={kind} state={record.state} mark={markOfState(record.state)} />}
          </div>
        </div>
      </header>
      <div className="record-body">
        {viewers.length > 0 && <OtherViewers names={viewers.map(({ name }) => name)} />}
        <DecisionError deciding={deciding} record={record} />
        {record.reason !== null && record.reason !== '' && (
          <Alert title={<Trans>Recorded reason</Trans>}>
            <UserText>{record.reason}</UserText>
          </Alert>
        )}
        {lead}
        {checksFollowLead && checks}
        {children}
      </div>
    </OfficePage>
  )
}

/** The page of a payment, with the amount as its title. */
export function AmountPage({ amount, ...page }: Omit<RecordPageProps, 'title' | 'heading'> & { amount: Amount }) {
  const { i18n } = useLingui()
  return (
    <RecordPage
      {...page}
      title={moneyText(amount, i18n.locale)}
      heading={
        <h1 className="record-amount">
          <Money amount={amount} size="step" />
        </h1>
      }
    />
  )
}

/** Reloads the record as soon as another person has changed it. */
export function useFreshRecord(id: string): void {
  const queries = useQueryClient()
  const readAgain = () =>
    void queries.invalidateQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(id) })
  useChanges((change) => {
    if (change.id === id) readAgain()
  }, readAgain)
}

export function OtherViewers({ names }: { names: readonly string[] }) {
  const { i18n } = useLingui()
  const all = listFormat(i18n.locale).format(names)
  return (
    <Alert kind="run" icon={<IconEye className="small" aria-hidden="true" />}>
      <b className="strong">
        <Plural
          value={names.length}
          one={<Trans>{all} is also viewing this.</Trans>}
          other={<Trans>{all} are also viewing this.</Trans>}
        />
      </b>{' '}
      <Trans>The first decision counts. Everyone else will be notified.</Trans>
    </Alert>
  )
}

/** Shows when the item is due and to whom it is assigned. The key e assigns it to the reader, or unassigns it. */
export function ItemAssignment({ record }: { record: Pick<OfficeRecord, 'item'> }) {
  const { t } = useLingui()
  const { staff } = useStaff()
  const isAssigner = useCanDo('assign')
  const queries = useQueryClient()
  const settings = {
    refreshes: [listInbox],
    onFailure: (failure: ApiError) => showToast(() => failure.error, { kind: 'bad' }),
  } as const
  const undo = useEndpointMutation(assignItem, {
    ...settings,
    onDone: () => {
      showToast(() => t`Undone.`)
      void queries.invalidateQueries()
    },
  })
  const assign = useEndpointMutation(assignItem, {
    ...settings,
    onDone: ({ assignee, before }) => {
      if (item)
        showUndoToast(assignee ? t`Assigned to you.` : t`Unassigned.`, () =>
          undo.mutate({ id: item.id, to: before?.id ?? unassigned, ...(before?.seen ? { seen: true } : {}) }),
        )
      void queries.invalidateQueries()
    },
  })
  const { item } = record
  const mine = item?.assignee?.id === staff.id
  const mayAssign = isAssigner && (mine || item?.assignable === true)
  const take = () => {
    if (item && !assign.isPending) assign.mutate({ id: item.id, to: mine ? unassigned : 'me' })
  }
  useShortcuts({ e: mayAssign ? take : undefined })
  if (!item) return null
  return (
    <span className="row wrap record-held">
      <span className="muted">
        <DueBy at={item.dueAt} />
        {item.assignee && <> · {mine ? t`assigned to you` : <AssignedTo assignee={item.assignee} />}</>}
      </span>
      {mayAssign && (
        <Button kind="quiet" size="small" keyHint="e" pending={assign.isPending} onClick={take}>
          {mine ? <Trans>Unassign</Trans> : <Trans>Assign to me</Trans>}
        </Button>
      )}
    </span>
  )
}

function AssignedTo({ assignee: { name, absence } }: { assignee: Colleague }) {
  const label = useAbsenceLabel()
  const away = absence && label(absence)
  return away ? (
    <Trans>
      assigned to {name}, {away}
    </Trans>
  ) : (
    <Trans>assigned to {name}</Trans>
  )
}

/** The position in the queue; k and j open the previous and next record. */
export function QueuePosition({ kind, record }: { kind: WorkItemKind; record: string }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const { reads } = useStaff()
  const { data } = useEndpoint(
    listInbox,
    { kind, size: '100' },
    { enabled: reads.includes('inbox') && reads.includes(workItemAreas[kind]) },
  )
  const records = data?.items.map((item) => item.record) ?? []
  const place = records.indexOf(record)
  const go = (to: number) => {
    const found = records[to]
    return found === undefined ? undefined : () => navigate(pathOfWorkItem(kind, found))
  }
  const previous = place < 0 ? undefined : go(place - 1)
  const next = place < 0 ? go(0) : go(place + 1)
  useShortcuts({ j: next, k: previous })
  if (records.length < 2 && place >= 0) return null
  if (records.length === 0) return null
  const number = place + 1
  const all = data?.next ? t`more than 100` : records.length
  return (
    <span className="row neighbours">
      {place >= 0 && <span className="muted numbers">{t`${number} of ${all}`}</span>}
      <IconButton name={t`Previous (k)`} aria-disabled={previous ? undefined : true} onClick={previous}>
        <IconChevronLeft aria-hidden="true" />
      </IconButton>
      <IconButton name={t`Next (j)`} aria-disabled={next ? undefined : true} onClick={next}>
        <IconChevronRight aria-hidden="true" />
      </IconButton>
    </span>
  )
}

function currencyOf(record: object): string | null {
  return 'currency' in record && typeof record.currency === 'string' ? record.currency : null
}
