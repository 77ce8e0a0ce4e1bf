import { IconChevronLeft } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { getInboxItem, type InboxItem } from '#contract/office/inbox.ts'
import { pathOfWorkItem } from '#contract/office-paths.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, EmptyState, Skeleton } from '#ui/feedback/content-states.tsx'
import { ApiError } from '#ui/api/api-error.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { DecisionBar, OfficePage } from '#ui/layout/office-page.tsx'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { StatusBadge, StatusWithMark, useStatusLabel } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { countryName } from '../../decision/country-name.ts'
import { useDueLabels, useSpanLabels } from '../../decision/due-labels.tsx'
import { Recipient } from '../../decision/recipient.tsx'
import { useViewers } from '../../decision/use-viewers.ts'
import { type Change, useChanges } from '../../layout/changes.ts'
import { useRequiredRole } from '../../layout/role-labels.ts'
import { useCanDo } from '../../session.ts'
import { useItemLabels } from '../../records/item-labels.ts'
import { markOfState } from '../../records/state-marks.ts'
import { useStateLabel } from '../../records/value-names.ts'
import { Comments } from './comments.tsx'
import { useItemEndText, useItemEnd } from './item-end.ts'
import { PreviewChecks } from './preview-checks.tsx'
import { PreviewFigure, splitFacts } from './preview-figure.tsx'
import { usePreviewFacts } from './preview-facts.tsx'
import { PreviewWork } from './preview-work.tsx'
import type { ItemActions } from './use-item-actions.tsx'

const DocumentPreview = lazyPart(async () => (await import('./dialogs.ts')).DocumentPreview)

export interface Place {
  readonly number: number
  readonly of: number
}

interface InboxPreviewProps {
  id: string
  /** Whether this person selected it; an automatically selected item does not count as viewed. */
  isChosen: boolean
  /** Called when its record is opened. */
  onOpen: () => void
  work: ItemActions | undefined
  back: string
  /** Its position in the list; undefined if the list does not contain it. */
  place: Place | undefined
}

/** A preview of one item, enough to decide whether to open it. */
export function InboxPreview({ id, isChosen, onOpen, work, back, place }: InboxPreviewProps) {
  // It may have been decided since: it is reloaded whenever it is selected again.
  const { data, error, refetch } = useEndpoint(getInboxItem, { id }, { staleMs: 0 })
  const isDecided = error instanceof ApiError && error.status === 404
  useFreshItem(id, data?.item)
  const viewers = useViewers(isChosen && data && !isDecided ? id : null, data?.item.viewers ?? [], 'preview')
  const backLink = <BackLink back={back} place={place} />
  if (isDecided || (error && !data))
    return (
      <OfficePage>
        {backLink}
        {isDecided ? <DecidedItem id={id} /> : <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      </OfficePage>
    )
  if (!data)
    return (
      <OfficePage>
        {backLink}
        <PreviewSkeleton />
      </OfficePage>
    )
  const { item } = data
  return (
    <OfficePage bar={<PreviewBar item={item} roles={data.roles} onOpen={onOpen} />}>
      {backLink}
      <PreviewHead item={item} />
      <div className="preview">
        <PreviewWork item={item} work={work} viewers={viewers} />
        {item.kind === 'document' && <DocumentPreview clientId={item.record} />}
        <Facts preview={data} />
        <Comments preview={data} />
      </div>
    </OfficePage>
  )
}

/** Shown only if loading takes a moment, so not while moving through the list. */
function PreviewSkeleton() {
  return (
    <div className="preview-skeleton" aria-busy="true">
      <Skeleton width={120} height={12} />
      <Skeleton width={220} height={24} />
      <Skeleton width={300} />
      <Skeleton width="100%" height={32} />
      <Skeleton width="100%" height={160} />
    </div>
  )
}

/** Shows who decided the item while it was being viewed. */
function DecidedItem({ id }: { id: string }) {
  const { t } = useLingui()
  const end = useItemEnd(id)
  const words = useItemEndText()
  return (
    <EmptyState
      level="h2"
      title={(end && words(end)) ?? t`No longer pending.`}
      action={end && <ButtonLink href={pathOfWorkItem(end.kind, end.record)}>{t`Open record`}</ButtonLink>}
    >
      <Trans>It has been decided or cancelled in the meantime.</Trans>
    </EmptyState>
  )
}

/** Reloads the item as soon as it or its assignee changes elsewhere, even when it is no longer pending. */
function useFreshItem(id: string, item: InboxItem | undefined): void {
  const queries = useQueryClient()
  const record = item?.record
  const assignee = item?.assignee?.id
  const hear = useCallback(
    (change: Change) => {
      if (change.id === record || change.id === assignee)
        void queries.invalidateQueries({ queryKey: [getInboxItem.name, { id }] })
    },
    [id, record, assignee, queries],
  )
  useChanges(hear)
}

function BackLink({ back, place }: Pick<InboxPreviewProps, 'back' | 'place'>) {
  return (
    <ButtonLink
      href={back}
      replace
      kind="quiet"
      className="preview-back"
      icon={<IconChevronLeft className="small" aria-hidden="true" />}
    >
      {place ? (
        <span className="numbers">
          <Trans>
            Inbox, {place.number} of {place.of}
          </Trans>
        </span>
      ) : (
        <Trans>Inbox</Trans>
      )}
    </ButtonLink>
  )
}

function PreviewHead({ item }: { item: InboxItem }) {
  const { i18n } = useLingui()
  const words = useItemLabels()(item)
  const due = useDueLabels()
  const span = useSpanLabels()
  const { t } = useLingui()
  const isDecided = item.group === 'decided'
  const end = useItemEnd(isDecided ? item.id : undefined)
  const endWords = useItemEndText()
  const { client } = item
  const age = span(Date.now() - item.createdAt.getTime())
  const { text, late } = due(item.dueAt)
  return (
    <header className="preview-head">
      <div>
        <p className="section-name">{[words.kind, isDecided ? null : words.stage].filter(Boolean).join(' · ')}</p>
        <h1>{client?.name ?? words.kind}</h1>
        {client && (
          <p className="muted numbers">
            <Trans>
              Client {client.number} · {countryName(client.country, i18n.locale)}, risk level {client.riskLevel}
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
        {isDecided ? (
          end?.state && <StateOfItem kind={item.kind} state={end.state} />
        ) : (
          <StateOfItem kind={item.kind} state={item.state} />
        )}
        <p className="muted numbers">
          <Trans>sent {age} ago</Trans>
          {isDecided ? ' · ' : ', '}
          {isDecided ? (
            ((end && endWords(end)) ?? t`No longer pending.`)
          ) : late ? (
            <b className="tone-bad strong">{text}</b>
          ) : (
            <Trans>due {text}</Trans>
          )}
        </p>
      </div>
    </header>
  )
}

/** An item's status with its mark. */
function StateOfItem({ kind, state }: Pick<InboxItem, 'kind' | 'state'>) {
  const word = useStateLabel()
  const status = useStatusLabel(kind)
  return status(state) === state ? (
    <StatusWithMark mark={markOfState(state)}>{word(kind, state)}</StatusWithMark>
  ) : (
    <StatusBadge record={kind} state={state} mark={markOfState(state)} />
  )
}

function Facts({ preview }: { preview: ResponseOf<typeof getInboxItem> }) {
  const { t } = useLingui()
  const { shown, others } = splitFacts(preview.item.kind, usePreviewFacts(preview))
  return (
    <>
      <PreviewFigure preview={preview} rows={shown} />
      <div className="columns-2">
        {others.length > 0 && (
          <section>
            <h2 className="title-3">{t`Key facts`}</h2>
            <DescriptionList rows={others} />
          </section>
        )}
        <PreviewChecks item={preview.item} checks={preview.checks} />
        {preview.recipient && <Recipient bank={preview.recipient} currency={preview.recipient.currency} />}
      </div>
    </>
  )
}

interface PreviewBarProps {
  item: InboxItem
  roles: ResponseOf<typeof getInboxItem>['roles']
  onOpen: () => void
}

function PreviewBar({ item, roles, onOpen }: PreviewBarProps) {
  const { t } = useLingui()
  const requiredRole = useRequiredRole()
  const decides = useCanDo('assign')
  const first = item.client?.name.split(' ')[0] ?? ''
  const sentence =
    item.group === 'decided'
      ? t`This item has been decided. Its record shows the decision.`
      : !decides
        ? t`You have read-only access.`
        : item.kind === 'document'
          ? t`Review each document on its page. ${first} will be notified of each decision by email and in the portal.`
          : item.mine
            ? t`Open the item to review it with all details.`
            : roles === undefined
              ? t`You cannot decide this.`
              : roles.length > 0
                ? requiredRole(roles)
                : t`Another person must decide.`
  return (
    <DecisionBar sentence={sentence}>
      <ButtonLink
        kind="primary"
        href={pathOfWorkItem(item.kind, item.record)}
        onClick={onOpen}
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
