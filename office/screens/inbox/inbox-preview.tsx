import { IconChevronLeft } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { getInboxItem, type InboxItem } from '#contract/office/inbox.ts'
import { getDecisionChecks } from '#contract/office/checks.ts'
import { pathOfWorkItem } from '#contract/office-paths.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { ApiError } from '#ui/api/api-error.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { DecisionBar, OfficePage } from '#ui/layout/office-page.tsx'
import { StatusBadge, useStatusLabel } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { CheckLabels } from '../../decision/check-labels.tsx'
import { type CheckedKind, DecisionChecks, isChecked } from '../../decision/decision-checks.tsx'
import { countryName } from '../../decision/country-name.ts'
import { useDueLabels, useSpanLabels } from '../../decision/due-labels.tsx'
import { AlsoHere } from '../../decision/record-page.tsx'
import { useViewers } from '../../decision/use-viewers.ts'
import { type Change, useChanges } from '../../layout/changes.ts'
import { useMayDo, useStaff } from '../../session.ts'
import { DocumentPreview } from './document-preview.tsx'
import { useItemLabels } from '../../records/item-labels.ts'
import { useStateLabel } from '../../records/value-names.ts'
import { Comments } from './comments.tsx'
import { usePreviewFacts } from './preview-facts.tsx'
import type { ItemWork } from './use-item-work.tsx'

interface InboxPreviewProps {
  id: string
  /** Whether this person chose it; no one looks at an item that was selected for them. */
  isChosen: boolean
  work: ItemWork | undefined
  back: string
}

/** Enough of one item to decide whether to open it. */
export function InboxPreview({ id, isChosen, work, back }: InboxPreviewProps) {
  const { t } = useLingui()
  // What was read before may have been decided since: it is read again whenever somebody comes back to it.
  const { data, error, refetch } = useEndpoint(getInboxItem, { id }, { staleMs: 0 })
  const gone = error instanceof ApiError && error.status === 404
  useFreshItem(id, data?.item.record)
  const viewers = useViewers(isChosen && data && !gone ? id : null, data?.item.viewers ?? [], 'preview')
  if (gone || (error && !data))
    return (
      <OfficePage>
        <BackLink back={back} />
        {gone ? (
          <EmptyState level="h2" title={t`No longer pending.`}>
            <Trans>It has been decided or cancelled in the meantime.</Trans>
          </EmptyState>
        ) : (
          <ErrorPanel failure={error} onRetry={() => void refetch()} />
        )}
      </OfficePage>
    )
  if (!data) return <OfficePage>{null}</OfficePage>
  const { item } = data
  return (
    <OfficePage bar={<PreviewBar item={item} work={work} />}>
      <BackLink back={back} />
      <PreviewHead item={item} />
      <div className="preview">
        {viewers.length > 0 && <AlsoHere names={viewers.map(({ name }) => name)} />}
        {item.kind === 'document' && <DocumentPreview clientId={item.record} />}
        <Facts preview={data} />
        {/* Which checks a bank transaction stands on is known once its deposit is chosen. */}
        {isChecked(item.kind) && item.kind !== 'bank_line' && <ChecksOf kind={item.kind} record={item.record} />}
        <Comments preview={data} />
      </div>
    </OfficePage>
  )
}

/** Reads the item again as soon as it changes elsewhere, also when it is no longer pending. */
function useFreshItem(id: string, record: string | undefined): void {
  const queries = useQueryClient()
  const hear = useCallback(
    (change: Change) => {
      if (change.id === record) void queries.invalidateQueries({ queryKey: [getInboxItem.name, { id }] })
    },
    [id, record, queries],
  )
  useChanges(hear)
}

function BackLink({ back }: { back: string }) {
  return (
    <ButtonLink
      href={back}
      replace
      kind="quiet"
      className="preview-back"
      icon={<IconChevronLeft className="small" aria-hidden="true" />}
    >
      <Trans>Inbox</Trans>
    </ButtonLink>
  )
}

function PreviewHead({ item }: { item: InboxItem }) {
  const { i18n } = useLingui()
  const words = useItemLabels()(item)
  const due = useDueLabels()
  const span = useSpanLabels()
  const { staff } = useStaff()
  const { client, assignee } = item
  const age = span(Date.now() - item.createdAt.getTime())
  const { text, late } = due(item.dueAt)
  return (
    <header className="preview-head">
      <div>
        <p className="section-name">{[words.kind, words.stage].filter(Boolean).join(' · ')}</p>
        <h1>{client?.name ?? words.kind}</h1>
        {client && (
          <p className="muted numbers">
            <Trans>
              Client {client.number} · {countryName(client.country, i18n.locale)}, risk level {client.riskLevel}
            </Trans>
            {client.since && (
              <>
                {' · '}
                <Trans>
                  client since <Time at={client.since} form="day" />
                </Trans>
              </>
            )}
          </p>
        )}
      </div>
      <div className="preview-state">
        <StateOfItem kind={item.kind} state={item.state} />
        <p className="muted numbers">
          <Trans>sent {age} ago</Trans>, {late ? <b className="tone-bad strong">{text}</b> : <Trans>due {text}</Trans>}
        </p>
        {item.snoozedUntil !== null && isAsleep(item) && (
          <p className="muted">
            <Trans>
              snoozed until <Time at={item.snoozedUntil} />
            </Trans>
          </p>
        )}
        {assignee && (
          <p className="muted">
            {assignee.id === staff.id ? <Trans>assigned to you</Trans> : <Trans>assigned to {assignee.name}</Trans>}
          </p>
        )}
      </div>
    </header>
  )
}

function isAsleep({ snoozedUntil }: InboxItem): boolean {
  return snoozedUntil !== null && snoozedUntil.getTime() > Date.now()
}

/** A request's status with its mark; what waits for another reason in words alone. */
function StateOfItem({ kind, state }: Pick<InboxItem, 'kind' | 'state'>) {
  const word = useStateLabel()
  const status = useStatusLabel(kind)
  return status(state) === state ? (
    <span className="status">{word(kind, state)}</span>
  ) : (
    <StatusBadge record={kind} state={state} />
  )
}

function Facts({ preview }: { preview: ResponseOf<typeof getInboxItem> }) {
  const rows = usePreviewFacts(preview)
  return (
    <div className="columns-2">
      <section>
        <h2 className="title-3">
          <Trans>Request details</Trans>
        </h2>
        <DescriptionList rows={rows} />
      </section>
      {preview.checks.length > 0 && (
        <section>
          <h2 className="title-3 record-side-title">
            {isChecked(preview.item.kind) ? <Trans>Client and rate</Trans> : <Trans>Checks</Trans>}
          </h2>
          <CheckLabels checks={preview.checks} />
        </section>
      )}
    </div>
  )
}

/** The checks of the decision, as its page shows them: reading them reads the balances again. */
function ChecksOf({ kind, record }: { kind: CheckedKind; record: string }) {
  const { data } = useEndpoint(getDecisionChecks, { kind, id: record })
  return data ? <DecisionChecks kind={kind} record={record} checks={data.checks} /> : null
}

function PreviewBar({ item, work }: { item: InboxItem; work: ItemWork | undefined }) {
  const { t } = useLingui()
  const decides = useMayDo('assign')
  const first = item.client?.name.split(' ')[0] ?? ''
  const sentence = !decides
    ? t`You have read-only access.`
    : item.kind === 'document'
      ? t`Review each document on its page. ${first} will be notified of each decision by email and in the portal.`
      : item.mine
        ? t`Open the item to review it with all details.`
        : t`This needs another role or another person.`
  return (
    <DecisionBar sentence={sentence}>
      {work && (
        <>
          <Button keyHint="e" pending={work.pending} onClick={work.assign}>
            <Trans>Assign</Trans>…
          </Button>
          {isAsleep(item) ? (
            <Button pending={work.pending} onClick={work.wake}>
              <Trans>End snooze</Trans>
            </Button>
          ) : (
            <Button keyHint="s" pending={work.pending} onClick={work.snooze}>
              <Trans>Snooze</Trans>…
            </Button>
          )}
        </>
      )}
      <ButtonLink
        kind="primary"
        href={pathOfWorkItem(item.kind, item.record)}
        iconAfter={
          <kbd className="key" aria-hidden="true">
            ↵
          </kbd>
        }
      >
        <Trans context="command">Open</Trans>
      </ButtonLink>
    </DecisionBar>
  )
}
