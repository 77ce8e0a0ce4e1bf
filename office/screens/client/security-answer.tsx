import { Plural, useLingui } from '@lingui/react/macro'
import { type SyntheticEvent, useRef, useState } from 'react'
import { checkSecurityAnswer } from '#contract/office/client-decisions.ts'
import { actionOn, getOfficeClient, type OfficeClient } from '#contract/office/clients.ts'
import { Button } from '#ui/forms/button.tsx'
import { ApiErrorText } from '#ui/feedback/error-panel.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { focusFirstError } from '#ui/forms/form-focus.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { TextField } from '#ui/forms/text-field.tsx'

/** Checks the security answer against its hash; attempts are counted, and it gives no access. */
export function SecurityAnswer({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const [answer, setAnswer] = useState('')
  const [missing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const mutation = useEndpointMutation(checkSecurityAnswer, { refreshes: [getOfficeClient] })
  const { question, answerTriesLeft } = client.security
  const refusal = actionOn(client, 'checkSecurityAnswer')?.refusal ?? null
  const check = (event: SyntheticEvent) => {
    event.preventDefault()
    const said = answer.trim()
    setMissing(said === '')
    if (said === '') focusFirstError(form.current)
    else if (!mutation.isPending) mutation.mutate({ id: client.id, answer: said })
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
