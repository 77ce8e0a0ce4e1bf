import {
  IconAlertTriangleFilled,
  IconBan,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconSend,
  IconUserCheck,
} from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { PayoutBatch } from '#contract/office/payout-batches.ts'
import { Time } from '#ui/text/time.tsx'

interface Station {
  name: ReactNode
  /** Whether it is completed, the current one, or still to come. */
  at: 'done' | 'wait' | 'run' | 'end' | 'later'
  who?: ReactNode
  text?: ReactNode
  /** Instead of the icon of `at`. */
  icon?: ReactNode
}

const marks = {
  done: <IconCircleCheckFilled className="small tone-ok" aria-hidden="true" />,
  wait: <IconUserCheck className="small tone-wait" aria-hidden="true" />,
  run: <IconSend className="small tone-run" aria-hidden="true" />,
  end: <IconBan className="small muted" aria-hidden="true" />,
  later: <IconCircleDashed className="small muted" aria-hidden="true" />,
}

/** The steps of a batch: created, released, sent by the bank, closed; each with its person and time. */
export function BatchTrack({ batch }: { batch: PayoutBatch }) {
  const { t } = useLingui()
  const stations = [useCreated(batch), useReleased(batch), useSent(batch), useClosed(batch)]
  return (
    <ol className="batch-track" aria-label={t`Status`}>
      {stations.map(({ name, at, who, text, icon = marks[at] }, index) => (
        <li
          key={index}
          data-done={at === 'done' ? '' : undefined}
          data-now={at === 'wait' || at === 'run' ? at : undefined}
          aria-current={at === 'wait' || at === 'run' ? 'step' : undefined}
        >
          <span className="section-name">{name}</span>
          <div>
            {who && (
              <b>
                {icon}
                {who}
              </b>
            )}
            {text && <span className="muted numbers">{text}</span>}
          </div>
        </li>
      ))}
    </ol>
  )
}

function useCreated({ createdBy, createdAt, count }: PayoutBatch): Station {
  return {
    name: <Trans>Created</Trans>,
    at: 'done',
    who: createdBy?.name ?? '–',
    text: (
      <>
        <Time at={createdAt} />
        <br />
        <Plural value={count} one="# payment" other="# payments" />
      </>
    ),
  }
}

function useReleased({ state, releasedAt, releasedBy, createdBy, verbs }: PayoutBatch): Station {
  const mayRelease = verbs.some(({ verb, refusal }) => verb === 'release' && refusal === null)
  if (state === 'created')
    return {
      name: <Trans>Release</Trans>,
      at: 'wait',
      who: mayRelease ? <Trans>You or another person in finance</Trans> : <Trans>Another person in finance</Trans>,
      text: createdBy && <Trans>{createdBy.name} cannot release it.</Trans>,
    }
  if (releasedAt === null) return { name: <Trans>Release</Trans>, at: 'later', text: <Trans>Not released</Trans> }
  return {
    name: <Trans>Released</Trans>,
    at: 'done',
    who: releasedBy?.name ?? '–',
    text: (
      <>
        <Time at={releasedAt} />
        <br />
        <Trans>Total entered</Trans>
      </>
    ),
  }
}

function useSent({ state, sentAt, confirmedBy, releasedBy, voidRequest }: PayoutBatch): Station {
  const name = <Trans>Sent by the bank</Trans>
  if (sentAt !== null) return { name, at: 'done', who: confirmedBy?.name ?? '–', text: <Time at={sentAt} /> }
  if (voidRequest)
    return {
      name,
      at: 'wait',
      who: <Trans>Void requested</Trans>,
      text: (
        <>
          {voidRequest.by.name}, <Time at={voidRequest.at} />
        </>
      ),
    }
  if (state === 'released')
    return {
      name,
      at: 'run',
      who: <Trans>Awaiting confirmation</Trans>,
      text: releasedBy && <Trans>{releasedBy.name} cannot confirm it.</Trans>,
    }
  return {
    name,
    at: 'later',
    text: state === 'void' ? <Trans>Not sent</Trans> : <Trans>After the release, by another person</Trans>,
  }
}

function useClosed({ state, timeline, decidedBy, decidedAt, payments }: PayoutBatch): Station {
  const returned = payments.filter((payment) => payment.state === 'returned').length
  const closed = timeline.find(({ to }) => to === 'closed')
  if (state === 'void')
    return {
      name: <Trans>Void</Trans>,
      at: 'end',
      who: decidedBy?.name ?? '–',
      text: <Time at={decidedAt} />,
    }
  if (state === 'closed')
    return {
      name: <Trans context="payout batch">Closed</Trans>,
      at: 'done',
      who: closed?.actor.name ?? <Trans>System</Trans>,
      text: closed && <Time at={closed.at} />,
    }
  if (state === 'partly_returned')
    return {
      name: <Trans context="payout batch">Closed</Trans>,
      at: 'wait',
      who: <Plural value={returned} one="# payment returned" other="# payments returned" />,
      icon: <IconAlertTriangleFilled className="small tone-wait" aria-hidden="true" />,
    }
  return {
    name: <Trans context="payout batch">Closed</Trans>,
    at: 'later',
    text: <Trans>Once the bank statement shows all payments</Trans>,
  }
}
