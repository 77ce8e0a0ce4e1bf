import { IconAlarmSnooze, IconCalendarOff, IconEye, IconNote, IconUserCheck } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { InboxItem } from '#contract/office/inbox.ts'
import { officeBase, officePaths } from '#contract/office-paths.ts'
import { Button } from '#ui/forms/button.tsx'
import { CopyButton } from '#ui/data/copy-button.tsx'
import { listFormat } from '#ui/text/formats.ts'
import { Time } from '#ui/text/time.tsx'
import { useCanDo } from '../../session.ts'
import { useAssigneeLabel } from './assignee-label.ts'
import { focusComment } from './comments.tsx'
import type { ItemActions } from './use-item-actions.tsx'

interface PreviewWorkProps {
  item: InboxItem
  /** Undefined while a selection has the actions, and for readers who may not assign. */
  work: ItemActions | undefined
  viewers: readonly { readonly name: string }[]
}

/** The assignee, the end of a snooze, other viewers, and the actions that change them. */
export function PreviewWork({ item, work, viewers }: PreviewWorkProps) {
  const { t, i18n } = useLingui()
  const mayComment = useCanDo('writeNote') && item.group !== 'decided'
  const all = listFormat(i18n.locale).format(viewers.map(({ name }) => name))
  return (
    <div className="preview-work" role="group" aria-label={t`Assignment`}>
      {work ? <Assigning item={item} work={work} /> : <Assignee item={item} />}
      {item.assignee?.absence?.isDueBefore && (
        <span className="preview-due tone-wait">
          <IconCalendarOff className="small" aria-hidden="true" />
          <Trans>Due before {item.assignee.name} is back</Trans>
        </span>
      )}
      {work ? <Snoozing item={item} work={work} /> : <SnoozedUntil item={item} />}
      {mayComment && (
        <Button size="small" icon={<IconNote className="small" aria-hidden="true" />} onClick={focusComment}>
          <Trans>Comment</Trans>
        </Button>
      )}
      <CopyButton
        size="small"
        name={t`Copy link`}
        text={`${location.origin}${officeBase}${officePaths.inbox}/${item.id}`}
      >
        <Trans>Copy link</Trans>
      </CopyButton>
      {viewers.length > 0 && (
        <span className="muted preview-viewers">
          <IconEye className="small tone-run" aria-hidden="true" />
          <Plural
            value={viewers.length}
            one={<Trans>{all} is viewing this</Trans>}
            other={<Trans>{all} are viewing this</Trans>}
          />
        </span>
      )}
    </div>
  )
}

function Assignee({ item: { assignee } }: { item: InboxItem }) {
  const label = useAssigneeLabel()
  return assignee && <span className="muted">{label(assignee)}</span>
}

function Assigning({ item, work }: { item: InboxItem; work: ItemActions }) {
  return (
    <Button
      size="small"
      keyHint="e"
      icon={<IconUserCheck className="small" aria-hidden="true" />}
      pending={work.pending}
      onClick={work.assign}
    >
      {item.assignee ? (
        <Assignee item={item} />
      ) : (
        <>
          <Trans>Assign</Trans>…
        </>
      )}
    </Button>
  )
}

const isSnoozed = ({ snoozedUntil }: InboxItem) => snoozedUntil !== null && snoozedUntil.getTime() > Date.now()

function SnoozedUntil({ item }: { item: InboxItem }) {
  return (
    isSnoozed(item) && (
      <span className="muted">
        <Trans>
          snoozed until <Time at={item.snoozedUntil} />
        </Trans>
      </span>
    )
  )
}

function Snoozing({ item, work }: { item: InboxItem; work: ItemActions }) {
  const { t } = useLingui()
  if (!isSnoozed(item))
    return (
      <Button
        size="small"
        keyHint="s"
        icon={<IconAlarmSnooze className="small" aria-hidden="true" />}
        pending={work.pending}
        onClick={work.snooze}
      >
        <Trans>Snooze</Trans>…
      </Button>
    )
  return (
    <>
      <Button size="small" pending={work.pending} onClick={work.wake}>{t`End snooze`}</Button>
      <SnoozedUntil item={item} />
    </>
  )
}
