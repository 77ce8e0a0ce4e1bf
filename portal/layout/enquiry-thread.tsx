import { Trans, useLingui } from '@lingui/react/macro'
import { outcomeLabels, topicLabels } from '#contract/enquiry-labels.ts'
import { getEnquiry, listEnquiries, replyToEnquiry } from '#contract/enquiries.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { Button } from '#ui/forms/button.tsx'
import { noErrors, submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { TextArea } from '#ui/forms/text-field.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { useFirm } from '#ui/layout/firm.ts'
import { usePortalSettings } from '../portal-settings.ts'
import { dayText, Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { BackToHelp } from './contact-forms.tsx'

const pollMs = 20_000

/** One enquiry with its messages; a reply reopens it. */
export function EnquiryThread({ id, onBack }: { id: string; onBack: () => void }) {
  const read = useEndpoint(getEnquiry, { id }, { pollMs })
  const { data } = read
  return (
    <div className="stack-6">
      <BackToHelp onBack={onBack} />
      {data ? (
        <Thread {...data} />
      ) : read.error ? (
        <ErrorPanel failure={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Skeleton width={320} height={24} />
      )}
    </div>
  )
}

function Thread({ enquiry, messages }: ResponseOf<typeof getEnquiry>) {
  const { t } = useLingui()
  const topic = useLabels(topicLabels)
  const firm = useFirm()
  const { reference, complaint, state, about } = enquiry
  return (
    <>
      <div className="stack-2">
        <h3 className="title-3">{complaint ? t`Complaint` : topic(enquiry.topic)}</h3>
        <p className="row between wrap size-14">
          <span className="muted">
            <Codes>{reference}</Codes>
            {about !== null && (
              <>
                {' '}
                · <Codes>{t`about ${about}`}</Codes>
              </>
            )}
          </span>
          <StatusBadge record="enquiry" state={state} />
        </p>
      </div>
      <ComplaintNotice enquiry={enquiry} />
      <ol className="enquiry-messages">
        {messages.map(({ id, from, text, at }) => (
          <li key={id} className="stack-2" data-from={from}>
            <p className="row between wrap size-13">
              <b className="strong">{from === 'client' ? t`You` : (firm?.name ?? t`Reply`)}</b>
              <span className="muted">
                <Time at={at} />
              </span>
            </p>
            <p className="help-text">
              <UserText>{text}</UserText>
            </p>
          </li>
        ))}
      </ol>
      <Reply enquiry={enquiry} />
    </>
  )
}

type Enquiry = ResponseOf<typeof getEnquiry>['enquiry']

/** Confirms the receipt of a complaint with its due date, or shows its outcome. */
function ComplaintNotice({ enquiry: { complaint, outcome, dueAt } }: { enquiry: Enquiry }) {
  const { i18n } = useLingui()
  const timeZone = usePortalSettings()?.firm.timeZone
  const label = useLabels(outcomeLabels)
  if (!complaint) return null
  if (outcome !== null)
    return (
      <Alert title={<Trans>Our decision</Trans>}>
        <p>{label(outcome)}</p>
      </Alert>
    )
  return (
    <Alert kind="run" title={<Trans>We have received your complaint.</Trans>}>
      {dueAt && (
        <Trans>
          We will give you our decision by {dayText(dueAt, i18n.locale, undefined, timeZone)} at the latest.
        </Trans>
      )}
    </Alert>
  )
}

function Reply({ enquiry: { id, state, outcome } }: { enquiry: Enquiry }) {
  const { t } = useLingui()
  const form = useFormValues({ text: '' })
  const reply = useEndpointMutation(replyToEnquiry, {
    refreshes: [getEnquiry, listEnquiries],
    onDone: () => form.set({ text: '' }),
    onFailure: form.refuse,
  })
  const send = () => {
    const { text } = form.values
    if (!form.sayErrors(() => (text.trim() === '' ? { text: t`Enter your message.` } : noErrors)))
      reply.mutate({ id, text })
  }
  return (
    <form ref={form.ref} className="stack" noValidate onSubmit={submitHandler(send)}>
      <TextArea
        {...form.text('text')}
        label={state === 'open' ? t`Add to your message` : t`Your reply`}
        hint={state === 'closed' && outcome !== null ? t`Your reply reopens the complaint.` : undefined}
        error={form.errors['text'] ?? form.errors['server']}
        rows={4}
      />
      <Button kind="primary" type="submit" full pending={reply.isPending}>{t`Send message`}</Button>
    </form>
  )
}
