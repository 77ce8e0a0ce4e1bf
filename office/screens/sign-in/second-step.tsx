import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { officeSecondFactor } from '#contract/office/session.ts'
import { Button } from '#ui/button.tsx'
import { call } from '#ui/call.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Failure } from '#ui/failure.ts'
import { submitting, useFormValues } from '#ui/form-values.ts'
import { groupedByFour } from '#ui/grouped.ts'
import { Notice } from '#ui/notice.tsx'
import { QrCode } from '#ui/qr-code.tsx'
import { TextField } from '#ui/text-field.tsx'
import { session } from '../../session.ts'

export interface Ticket {
  ticket: string
  enrolment: { secret: string; uri: string } | null
}

interface SecondStepProps {
  ticket: Ticket
  /** Back to the password; with the reason where the ticket has ended. */
  onBack: (said?: string) => void
}

/** The code of the authenticator; the first time the app is set up here, and recovery codes are shown once. */
export function SecondStep({ ticket: { ticket, enrolment }, onBack }: SecondStepProps) {
  const { t } = useLingui()
  const form = useFormValues({ code: '' })
  const [pending, setPending] = useState(false)
  const [granted, setGranted] = useState<{ token: string; codes: readonly string[] } | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const send = async () => {
    if (form.sayErrors(form.values.code.trim() === '' ? { code: t`Write the code.` } : {})) return
    setPending(true)
    try {
      const { token, recoveryCodes } = await call(officeSecondFactor, { ticket, code: form.values.code.trim() })
      if (recoveryCodes && recoveryCodes.length > 0) setGranted({ token, codes: recoveryCodes })
      else session.keep(token)
    } catch (thrown) {
      if (thrown instanceof Failure && thrown.code === 'ticket-ended') return onBack(thrown.error)
      form.sayErrors({
        code: thrown instanceof Failure ? (thrown.errors['code'] ?? thrown.error) : t`Something went wrong!`,
      })
    }
    setPending(false)
  }
  if (granted) return <RecoveryCodes codes={granted.codes} onKept={() => session.keep(granted.token)} />
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {enrolment ? <Trans>Set up your second factor</Trans> : <Trans>Confirm it is you</Trans>}
      </h1>
      {enrolment ? (
        <Enrolment enrolment={enrolment} />
      ) : (
        <p className="muted">
          <Trans>Write the six digits that your authenticator app shows, or a recovery code.</Trans>
        </p>
      )}
      <form ref={form.ref} noValidate onSubmit={submitting(() => void send())}>
        <TextField
          {...form.text('code')}
          label={t`Code`}
          className="numbers"
          autoComplete="one-time-code"
          inputMode={enrolment ? 'numeric' : 'text'}
          maxLength={32}
          spellCheck={false}
        />
        <Button kind="primary" type="submit" full pending={pending}>
          <Trans>Sign in</Trans>
        </Button>
        <p className="sign-in-note">
          <button type="button" className="text-button" onClick={() => onBack()}>
            <Trans>Back to e-mail and password</Trans>
          </button>
        </p>
      </form>
    </>
  )
}

function Enrolment({ enrolment: { secret, uri } }: { enrolment: { secret: string; uri: string } }) {
  const { t } = useLingui()
  return (
    <div className="enrolment">
      <QrCode text={uri} label={t`Code for your authenticator app`} size={168} />
      <div className="stack-2">
        <ol>
          <li>
            <Trans>Scan this with an authenticator app.</Trans>
          </li>
          <li>
            <Trans>Write the six digits that it shows.</Trans>
          </li>
        </ol>
        <p className="muted">
          <Trans>Without a camera, type this key into the app:</Trans>
        </p>
        <p className="row">
          <span className="enrolment-key">{groupedByFour(secret)}</span>
          <CopyButton text={secret} name={t`Copy the key`} />
        </p>
      </div>
    </div>
  )
}

function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useLingui()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        <Trans>Keep your recovery codes</Trans>
      </h1>
      <Notice kind="ok">
        <Trans>Your second factor is set up. Each code works once in place of the app; they are shown only now.</Trans>
      </Notice>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row wrap">
        <CopyButton text={codes.join('\n')} name={t`Copy the codes`}>
          <Trans>Copy the codes</Trans>
        </CopyButton>
        <Button kind="primary" onClick={onKept}>
          <Trans>I have kept them</Trans>
        </Button>
      </div>
    </>
  )
}
