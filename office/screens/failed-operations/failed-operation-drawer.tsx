import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { getFailedJob, listFailedJobs, retryJob, type FailedSource } from '#contract/office/records.ts'
import { officePaths, pathOfWorkItem } from '#contract/office-paths.ts'
import { workItemKinds } from '#rules/work-items.ts'
import { Button } from '#ui/forms/button.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, ApiErrorText } from '#ui/feedback/content-states.tsx'
import { focusFirstError, submitHandler } from '#ui/forms/form-state.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { groupedByFour } from '#ui/text/code-format.ts'
import { TextField } from '#ui/forms/text-field.tsx'
import { Time } from '#ui/text/time.tsx'
import { Timeline } from '#ui/data/timeline.tsx'
import { useRecordLabel } from '../../records/work-item-labels.ts'
import { useOperationLabels } from './operation-labels.ts'

interface DrawerProps {
  source: FailedSource
  id: string
  onClose: () => void
}

/** One failed operation with all attempts. An unknown outcome is queried before the operation is sent again. */
export function FailedOperationDrawer({ source, id, onClose }: DrawerProps) {
  const { t } = useLingui()
  const words = useOperationLabels()
  const record = useRecordLabel()
  const { data, error, refetch } = useEndpoint(getFailedJob, { source, id })
  const job = data?.job
  const subject = workItemKinds.find((kind) => kind === job?.subject)
  const account = job?.account
  const isReading = source === 'trades' || source === 'account'
  return (
    <Drawer title={job ? words.kind(job.kind) : t`Failed operation`} onClose={onClose}>
      {error && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {job && (
        <div className="stack-6">
          <Alert kind="wait" title={asSentence(words.state(job.state))}>
            <p>{words.meaning(job.meaning)}</p>
          </Alert>
          <DescriptionList
            rows={[
              job.client && {
                key: <Trans>Client</Trans>,
                value: <Link href={officePaths.client(job.client.id)}>{job.client.name}</Link>,
              },
              account
                ? {
                    key: <Trans>Trading account</Trans>,
                    value: (
                      <Link href={officePaths.account(account.platform, account.number)}>
                        {account.platform} {groupedByFour(account.number)}
                      </Link>
                    ),
                  }
                : subject !== undefined &&
                  job.record !== null && {
                    key: <Trans>Belongs to</Trans>,
                    value: <Link href={pathOfWorkItem(subject, job.record)}>{record(subject)}</Link>,
                  },
              job.ref !== null && !isReading && { key: <Trans>Reference</Trans>, value: job.ref },
              // Reading an account again does not count as an attempt of an operation.
              !isReading && { key: <Trans>Attempts</Trans>, value: job.tries },
              { key: <Trans>Last response</Trans>, value: job.lastError ?? t`none` },
              job.nextTryAt !== null && {
                key: <Trans>Next automatic attempt</Trans>,
                value: <Time at={job.nextTryAt} />,
              },
            ]}
          />
          <section className="stack-2">
            <h3>{t`History`}</h3>
            <Timeline
              entries={data.tries.map((one) => ({
                mark: one.error ? (
                  <IconAlertTriangle className="small tone-wait" aria-hidden="true" />
                ) : (
                  <IconCheck className="small muted" aria-hidden="true" />
                ),
                title: words.tried(one.what),
                text: one.error ?? undefined,
                time: <Time at={one.at} form="exact" />,
              }))}
            />
          </section>
          {job.refusal ? (
            <p className="muted">{job.refusal.text}</p>
          ) : (
            <Retry source={source} id={id} state={job.state} onDone={onClose} />
          )}
        </div>
      )}
    </Drawer>
  )
}

function Retry({ source, id, state, onDone }: { source: FailedSource; id: string; state: string; onDone: () => void }) {
  const { t } = useLingui()
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const mutation = useEndpointMutation(retryJob, {
    refreshes: [listFailedJobs, getFailedJob],
    onDone: () => {
      showToast(() => t`Another attempt has been started.`)
      onDone()
    },
  })
  const form = useRef<HTMLFormElement>(null)
  const send = () => {
    if (mutation.isPending) return
    setMissing(reason.trim() === '')
    if (reason.trim() === '') focusFirstError(form.current)
    else mutation.mutate({ source, id, reason: reason.trim() })
  }
  return (
    <form ref={form} noValidate className="stack" onSubmit={submitHandler(send)}>
      <TextField
        label={t`Reason`}
        hint={t`Recorded in the audit log.`}
        value={reason}
        maxLength={1000}
        error={missing && reason.trim() === '' ? t`Enter a reason.` : undefined}
        onChange={(event) => setReason(event.target.value)}
      />
      {mutation.error && (
        <Alert kind="bad">
          <ApiErrorText failure={mutation.error} />
        </Alert>
      )}
      <p className="muted">
        <RetryEffect source={source} state={state} />
      </p>
      <Button kind="primary" type="submit" pending={mutation.isPending}>
        {state === 'unknown' ? <Trans>Resend</Trans> : <Trans>Try again</Trans>}
      </Button>
    </form>
  )
}

/** Explains the effect of a retry, and why it cannot be carried out twice. */
function RetryEffect({ source, state }: { source: FailedSource; state: string }) {
  if (source === 'statement')
    return (
      <Trans>
        The figures are read again and compared with the daily reports. The statement will be created once they
        reconcile and the name of the client can be printed.
      </Trans>
    )
  if (source === 'trades')
    return (
      <Trans>
        All deals of the account are read again. Have the platform correct the deal first. The account’s data is
        complete once the deal can be read.
      </Trans>
    )
  if (source === 'account' && state === 'unreadable')
    return (
      <Trans>
        The account is read again. Have the comment corrected on the platform first. If that is not possible, two people
        in finance can confirm under <Link href={officePaths.reconciliation}>Reconciliation</Link> that the deal is not
        one of our operations. Pending operations are then sent.
      </Trans>
    )
  if (source === 'account')
    return (
      <Trans>
        The account is read again. Have the platform correct it first. Once it can be read, its balances are updated and
        pending operations are sent.
      </Trans>
    )
  if (source === 'job') return <Trans>The operation restarts and is carried out only once.</Trans>
  if (state === 'refused')
    return <Trans>The operation was declined and not carried out. It will be sent again with a new reference.</Trans>
  if (state === 'unknown')
    return (
      <Trans>
        The platform did not find the operation in two checks one minute apart. Search for the reference on the platform
        before you resend.
      </Trans>
    )
  return <Trans>The operation is sent again with the same reference and carried out only once.</Trans>
}

/** Returns the label of a column with a capital letter. */
function asSentence(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
