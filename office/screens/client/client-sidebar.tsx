import { useLingui, Plural, Trans } from '@lingui/react/macro'
import { useRef, useState, type SyntheticEvent } from 'react'
import { type OfficeClient, getOfficeClient, isActionAllowed, clientAction } from '#contract/office/clients.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { officePaths } from '#contract/office-paths.ts'
import { writeNote, checkSecurityAnswer } from '#contract/office/client-decisions.ts'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Time } from '#ui/text/time.tsx'
import { Timeline } from '#ui/data/timeline.tsx'
import { Button } from '#ui/forms/button.tsx'
import { fieldErrors } from '#ui/api/api-error.ts'
import { focusOnRender } from '#ui/a11y/focus.ts'
import { focusFirstError } from '#ui/forms/form-state.ts'
import { submitOnControlEnter } from '#ui/navigation/keyboard-shortcuts.ts'
import { TextArea, TextField } from '#ui/forms/text-field.tsx'
import { ApiErrorText } from '#ui/feedback/content-states.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { markOfEvent } from '../../records/event-mark.tsx'
import { groupRepeated } from '../../records/event-groups.ts'
import { useEventTitle } from '../../records/event-labels.ts'
import { EventTime, EventTitle } from '../../records/event-time.tsx'
import { RiskSection } from './risk-section.tsx'
import {
  approveFactorReset,
  requestFactorReset,
  cancelFactorReset,
  rejectFactorReset,
} from '#contract/office/factor-resets.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { SecondApproval } from '../../records/second-approval.tsx'

const latestMax = 4
/** Read for them, because repeated events are one entry. */
const eventsRead = 40

/** Risk, the security answer, notes, and the latest events. */
export function ClientSidebar({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const title = useEventTitle()
  const { data } = useEndpoint(getClientEvents, { id: client.id, size: eventsRead })
  const { events } = client.counts
  return (
    <aside className="client-side">
      <RiskSection client={client} />
      <SecurityAnswer client={client} />
      <FactorResetSection client={client} />
      <NotesSection client={client} />
      <section>
        <h2>{t`Latest`}</h2>
        <Timeline
          entries={groupRepeated(data?.rows ?? [], title)
            .slice(0, latestMax)
            .map((group) => ({
              mark: markOfEvent(group[0]),
              title: <EventTitle group={group} title={title(group[0])} />,
              time: <EventTime group={group} />,
            }))}
        />
        <p>
          <Link className="lone-link" href={`${officePaths.client(client.id)}?tab=timeline`}>
            <Plural value={events} one="# event" other="All # events" />
          </Link>
        </p>
      </section>
    </aside>
  )
}

/** Notes that only staff read. */
function NotesSection({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const [text, setText] = useState<string | null>(null)
  const writes = isActionAllowed(client, 'writeNote')
  const mutation = useEndpointMutation(writeNote, { refreshes: [getOfficeClient], onDone: () => setText(null) })
  const [missing, setMissing] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const send = () => {
    if (mutation.isPending) return
    const words = text?.trim() ?? ''
    setMissing(words === '')
    if (words === '') focusFirstError(fields.current)
    else mutation.mutate({ id: client.id, text: words })
  }
  return (
    <section>
      <div className="row between">
        <h2>{t`Notes`}</h2>
        {writes && text === null && (
          <button type="button" className="text-button" onClick={() => setText('')}>{t`Add`}</button>
        )}
      </div>
      {text !== null && (
        <div ref={fields} className="stack-2">
          <TextArea
            label={t`New note`}
            hint={t`Visible to staff only.`}
            rows={3}
            ref={focusOnRender}
            value={text}
            error={missing ? t`Enter a note.` : fieldErrors(mutation.error)['text']}
            onChange={(event) => {
              setText(event.target.value)
              setMissing(false)
            }}
            onKeyDown={submitOnControlEnter(send)}
          />
          {mutation.error && !fieldErrors(mutation.error)['text'] && (
            <Alert kind="bad">
              <ApiErrorText failure={mutation.error} />
            </Alert>
          )}
          <div className="row">
            <Button pending={mutation.isPending} onClick={send}>{t`Add note`}</Button>
            <Button kind="quiet" onClick={() => setText(null)}>{t`Cancel`}</Button>
          </div>
        </div>
      )}
      {client.notes.length === 0 && text === null && <p className="muted">{t`No notes yet.`}</p>}
      {client.notes.map((note) => (
        <div key={note.id} className="client-note">
          <p>{note.text}</p>
          <p className="muted">
            {note.by.name}, <Time at={note.at} />
          </p>
        </div>
      ))}
    </section>
  )
}

/** Checks the security answer against its hash; attempts are counted, and it gives no access. */
function SecurityAnswer({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const [answer, setAnswer] = useState('')
  const [missing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const mutation = useEndpointMutation(checkSecurityAnswer, { refreshes: [getOfficeClient] })
  const { question, answerTriesLeft } = client.security
  const refusal = clientAction(client, 'checkSecurityAnswer')?.refusal ?? null
  const check = (event: SyntheticEvent) => {
    event.preventDefault()
    const given = answer.trim()
    setMissing(given === '')
    if (given === '') focusFirstError(form.current)
    else if (!mutation.isPending) mutation.mutate({ id: client.id, answer: given })
  }
  return (
    <section>
      <h2>{t`Security answer`}</h2>
      {question === null ? (
        <p className="muted">{t`No security question chosen.`}</p>
      ) : refusal ? (
        <p className="muted">{refusal.text}</p>
      ) : (
        <form ref={form} noValidate onSubmit={check}>
          <div className="client-answer">
            <TextField
              label={question}
              placeholder={t`Caller’s answer`}
              value={answer}
              maxLength={200}
              autoComplete="off"
              error={missing ? t`Enter the caller’s answer.` : undefined}
              onChange={(event) => {
                setAnswer(event.target.value)
                setMissing(false)
              }}
            />
            <Button type="submit" pending={mutation.isPending}>{t`Check`}</Button>
          </div>
        </form>
      )}
      {mutation.data && !mutation.isPending && (
        <Alert
          kind={mutation.data.right ? 'ok' : 'bad'}
          title={mutation.data.right ? t`The answer is correct.` : t`The answer is not correct.`}
        >
          <Plural
            value={mutation.data.triesLeft}
            _0="No attempts left today."
            one="# attempt left today."
            other="# attempts left today."
          />
        </Alert>
      )}
      {mutation.error && (
        <Alert kind="bad">
          <ApiErrorText failure={mutation.error} />
        </Alert>
      )}
      {!mutation.data && question !== null && !refusal && answerTriesLeft < 3 && (
        <p className="muted">
          <Plural value={answerTriesLeft} _0="No attempts left." one="# attempt left." other="# attempts left." />
        </p>
      )}
    </section>
  )
}

const refreshes = [getOfficeClient, getClientEvents, listInbox]
type Reset = NonNullable<OfficeClient['factorReset']>

/** The reset for a client who lost the second factor: requested here, decided here by another person. */
function FactorResetSection({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const { factorReset } = client
  const action = clientAction(client, 'askFactorReset')
  const mayAsk = client.security.secondFactor && action !== undefined && action.refusal?.code !== 'wrong-role'
  if (!factorReset && !mayAsk) return null
  return (
    <section>
      <h2>{t`Two-factor authentication (2FA)`}</h2>
      {factorReset ? (
        <PendingReset client={client} reset={factorReset} />
      ) : (
        <ResetRequest client={client} refusal={action?.refusal?.text} />
      )}
    </section>
  )
}

/** The request, with the reason if it is not possible yet. */
function ResetRequest({ client, refusal }: { client: OfficeClient; refusal: string | undefined }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const { name } = client.client
  return (
    <>
      <Button disabledReason={refusal} onClick={() => setOpen(true)}>{t`Request 2FA reset…`}</Button>
      {open && (
        <ActionDialog
          endpoint={requestFactorReset}
          input={(reason) => ({ id: client.id, reason })}
          refreshes={refreshes}
          done={t`Another person must approve the request.`}
          title={<Trans>Request 2FA reset for {name}</Trans>}
          command={<Trans context="another person decides">Request</Trans>}
          onClose={() => setOpen(false)}
        >
          <p>
            <Trans>
              Use this only if the client has lost the app and all recovery codes. Explain how you verified the caller’s
              identity. The client is notified immediately. Another person must approve.
            </Trans>
          </p>
        </ActionDialog>
      )}
    </>
  )
}

function PendingReset({ client, reset }: { client: OfficeClient; reset: Reset }) {
  const { t } = useLingui()
  const { askedBy, askedAt, reason } = reset
  const { name } = client.client
  return (
    <div className="stack">
      <Alert kind="wait" title={<Trans>2FA reset requested</Trans>}>
        <p>
          <Trans>
            {askedBy.name}, <Time at={askedAt} />: {reason}
          </Trans>
        </p>
      </Alert>
      <SecondApproval
        proposal={{ id: client.id, version: reset.version }}
        verbs={reset.verbs}
        approve={approveFactorReset}
        reject={rejectFactorReset}
        cancel={cancelFactorReset}
        refreshes={refreshes}
        words={{
          approve: {
            command: t`Turn off 2FA`,
            title: t`Turn off the 2FA of ${name}`,
            done: t`2FA is off. All sessions have ended.`,
            look: <ResetEffects />,
          },
          reject: { command: t`Keep 2FA on`, title: t`Keep 2FA on`, done: t`2FA stays on.` },
          cancel: {
            command: t`Cancel request`,
            title: t`Cancel request`,
            done: t`The request has been cancelled. 2FA stays on.`,
          },
        }}
        danger="approve"
      />
    </div>
  )
}

function ResetEffects() {
  return (
    <p>
      <Trans>
        The client will log in with the password only. All sessions end, recovery codes become invalid and the client is
        notified by email.
      </Trans>
    </p>
  )
}
