import { IconAlarmSnooze, IconKeyboard } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { inboxCounts } from '#contract/office/inbox.ts'
import { assignees, away, unassigned } from '#contract/office/inbox-filter.ts'
import { officePaths } from '#contract/office-paths.ts'
import { workItemAreas, workItemKinds } from '#rules/work-items.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { IconButton } from '#ui/forms/button.tsx'
import { BareSelect } from '#ui/forms/select.tsx'
import { AmountFilter } from '../../records/amount-filter.tsx'
import { ExportButton, ListSearch } from '../../records/list-tools.tsx'
import { SavedViews } from '../../records/saved-views.tsx'
import { useWorkItemLabel } from '../../records/work-item-labels.ts'
import { useCanDo, useStaff } from '../../session.ts'
import { type InboxFilterState, unfiltered, type UseInboxFilter } from './use-inbox-filter.ts'

interface InboxHeadProps {
  filter: UseInboxFilter
  count: number | undefined
  /** How many matching items are hidden because they are snoozed. */
  snoozed: number
  /** The name of the colleague whose items are shown, once an item is loaded. */
  colleague: string | undefined
  onKeys: () => void
}

/** Views with their counts, and the filters below. */
export function InboxHead({ filter, count, snoozed, colleague, onKeys }: InboxHeadProps) {
  const { t } = useLingui()
  const { asked, given, ask } = filter
  const decides = useCanDo('assign')
  return (
    <header className="inbox-head">
      <div className="row between">
        <h1>
          <Trans>Inbox</Trans> <span className="numbers">{count}</span>
        </h1>
        <IconButton name={t`Keyboard shortcuts`} onClick={onKeys}>
          <IconKeyboard aria-hidden="true" />
        </IconButton>
      </div>
      <Views filter={filter} />
      <div className="inbox-filters">
        <ListSearch words={asked.q} onWords={(q) => ask({ q })} label={t`Client or reference`} />
        <KindChoice filter={filter} />
        <BareSelect
          aria-label={t`Assigned to`}
          value={asked.assigned ?? ''}
          onChange={({ target: { value } }) =>
            ask({ assigned: assignees.find((one) => one === value) ?? null, colleague: '' })
          }
          options={[
            { value: '', label: t`Any assignee` },
            ...(decides ? [{ value: 'me', label: t`Assigned to me` }] : []),
            { value: unassigned, label: t`Unassigned` },
            { value: away, label: t`Someone away` },
          ]}
        />
        <AmountFilter
          asked={{ currency: asked.currency, amountFrom: asked.amountFrom, amountTo: asked.amountTo }}
          onAmount={ask}
          look="chip"
          signed
          anyCurrency
        />
        {asked.colleague !== '' && (
          <button type="button" className="chip" aria-pressed onClick={() => ask({ colleague: '' })}>
            {colleague ? <Trans>Assigned to {colleague}</Trans> : <Trans>Assigned to a colleague</Trans>}
          </button>
        )}
        {(snoozed > 0 || asked.snoozed) && (
          <Chip isOn={asked.snoozed} count={snoozed} onPress={() => ask({ snoozed: !asked.snoozed })}>
            <IconAlarmSnooze className="small" aria-hidden="true" />
            <Trans>Snoozed</Trans>
          </Chip>
        )}
        <ExportButton list="inbox" asked={given} />
      </div>
    </header>
  )
}

/**
 * Built-in views: all items, items to decide, assigned to me, overdue, newly assigned, mentioning me; then saved ones.
 */
function Views({ filter: { asked, kept, ask } }: { filter: UseInboxFilter }) {
  const decides = useCanDo('assign')
  const { data: counts } = useEndpoint(inboxCounts, {})
  const view = (only: Partial<InboxFilterState>) => {
    const filter: InboxFilterState = { ...unfiltered, ...only, q: asked.q }
    const isOn = Object.entries(filter).every(([name, value]) => asked[name as keyof InboxFilterState] === value)
    return { isOn, onPress: () => ask(isOn ? unfiltered : filter) }
  }
  const mentions = counts?.mentions ?? 0
  const assigned = counts?.newlyAssigned ?? 0
  const all = view({})
  const own: (ReturnType<typeof view> & { name: string; label: ReactNode; count: number | undefined })[] = [
    { ...all, name: 'all', label: <Trans>All</Trans>, count: counts?.all },
    ...(decides
      ? [
          { ...view({ mine: true }), name: 'mine', label: <Trans>My reviews</Trans>, count: counts?.toDecide },
          { ...view({ assigned: 'me' }), name: 'assigned', label: <Trans>Mine</Trans>, count: counts?.mine },
        ]
      : []),
    { ...view({ overdue: true }), name: 'overdue', label: <Trans>Overdue</Trans>, count: counts?.late },
    ...(assigned > 0 || asked.newlyAssigned
      ? [{ ...view({ newlyAssigned: true }), name: 'new', label: <Trans>Newly assigned</Trans>, count: assigned }]
      : []),
    ...(mentions > 0 || asked.mentioned
      ? [{ ...view({ mentioned: true }), name: 'mentions', label: <Trans>Mentions</Trans>, count: mentions }]
      : []),
  ]
  return (
    <SavedViews list="inbox" path={officePaths.inbox} query={kept} isOwn={own.some(({ isOn }) => isOn)}>
      {own.map(({ name, label, ...chip }) => (
        <Chip key={name} {...chip}>
          {label}
        </Chip>
      ))}
    </SavedViews>
  )
}

interface ChipProps {
  isOn: boolean
  count: number | undefined
  onPress: () => void
  children: ReactNode
}

function Chip({ isOn, count, onPress, children }: ChipProps) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={onPress}>
      {children}
      <b className="strong numbers">{count}</b>
    </button>
  )
}

function KindChoice({ filter: { asked, ask } }: { filter: UseInboxFilter }) {
  const { t } = useLingui()
  const record = useWorkItemLabel()
  const { reads } = useStaff()
  return (
    <BareSelect
      aria-label={t`Type`}
      value={asked.kind ?? ''}
      onChange={({ target }) => ask({ kind: workItemKinds.find((kind) => kind === target.value) ?? null })}
      options={[
        { value: '', label: t`All types` },
        ...workItemKinds
          .filter((kind) => reads.includes(workItemAreas[kind]))
          .map((kind) => ({ value: kind, label: record(kind) })),
      ]}
    />
  )
}
