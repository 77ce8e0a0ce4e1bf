import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { portalPaths } from '#contract/portal-paths.ts'
import { confirmEmail, currentUser } from '#contract/users-session.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { call } from '#ui/api/call.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { useFirm } from '#ui/layout/firm.ts'
import { Link } from '#ui/navigation/link.tsx'
import { EmailLink } from '#ui/text/email-link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { session } from '../../session.ts'

type Outcome =
  | { state: 'asking' }
  | { state: 'confirmed'; sentence: string }
  /** `isOver`: the link will never be valid again; otherwise the request may be repeated. */
  | { state: 'refused'; sentence: string; isOver: boolean; isExpired: boolean }

const invalidLinkCodes = ['link-unknown', 'link-used', 'link-expired', 'email-taken']

/** A link confirms once, so all renders of the page share the request of an address. */
const calls = new Map<string, ReturnType<typeof confirm>>()

function confirm(rest: string) {
  return call(confirmEmail, { '*': rest })
}

/** Opening the page confirms nothing; its own request does (requirements 3.16). */
export default function EmailConfirm({ params }: ScreenProps) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const rest = params['rest'] ?? ''
  const [outcome, setOutcome] = useState<Outcome>({ state: 'asking' })
  const [turn, setTurn] = useState(1)
  const isInvitation = rest.startsWith('setpassword/')
  const isNewAddress = rest.startsWith('change/')
  useWindowTitle(t`Email confirmation`)
  useEffect(() => {
    let seen = true
    const asked = calls.get(rest) ?? confirm(rest)
    calls.set(rest, asked)
    asked.then(
      (answer) => {
        if (!seen) return
        if (answer.resetId) return navigate(portalPaths.resetPassword(answer.resetId), { replace: true })
        if (answer.autologin && answer.token) {
          session.keep(answer.token)
          return navigate(portalPaths.register, { replace: true })
        }
        setOutcome({ state: 'confirmed', sentence: answer.msg })
        if (isNewAddress && session.token() !== null) void checkSession()
      },
      (thrown: unknown) => {
        calls.delete(rest)
        if (seen)
          setOutcome({
            state: 'refused',
            sentence: thrown instanceof ApiError ? thrown.error : t`Something went wrong!`,
            isOver: thrown instanceof ApiError && invalidLinkCodes.includes(thrown.code),
            isExpired: thrown instanceof ApiError && thrown.code === 'link-expired',
          })
      },
    )
    return () => {
      seen = false
    }
  }, [rest, isNewAddress, navigate, t, turn])
  const askAgain = () => {
    setOutcome({ state: 'asking' })
    setTurn(turn + 1)
  }
  return (
    <div className="form stack-6">
      <h1>{t`Email confirmation`}</h1>
      {outcome.state === 'asking' && (
        <p className="row" role="status">
          <Spinner />
          <Trans>Confirming your email address</Trans>
        </p>
      )}
      {outcome.state === 'confirmed' && <Alert kind="ok">{outcome.sentence}</Alert>}
      {outcome.state === 'refused' && <Alert kind="bad">{outcome.sentence}</Alert>}
      {outcome.state !== 'asking' && isInvitation && <MissingPasswordNote />}
      {outcome.state === 'refused' && outcome.isOver && isNewAddress && <UnchangedAddressNote />}
      {outcome.state === 'refused' && outcome.isOver && !isInvitation && !isNewAddress && (
        <OpenRegistration isExpired={outcome.isExpired} />
      )}
      {outcome.state !== 'asking' && (
        <div className="row wrap">
          {outcome.state === 'refused' && !outcome.isOver && <Button onClick={askAgain}>{t`Try again`}</Button>}
          <ButtonLink href={portalPaths.login} kind="primary">{t`LOG IN`}</ButtonLink>
        </div>
      )}
    </div>
  )
}

/** Checks this browser's session, which has ended if the client's address was changed. */
async function checkSession(): Promise<void> {
  try {
    await call(currentUser, {})
  } catch {
    // Without a response the next request notices it.
  }
}

/** A registration ends before its link expires, so it cannot be continued then. */
function OpenRegistration({ isExpired }: { isExpired: boolean }) {
  if (isExpired)
    return (
      <p>
        <Trans>
          Not finished registering? <Link href={portalPaths.register}>Register again</Link>. We will send you a new
          email.
        </Trans>
      </p>
    )
  return (
    <p>
      <Trans>
        Not finished registering? <Link href={portalPaths.register}>Continue your registration</Link> and request a new
        email.
      </Trans>
    </p>
  )
}

/** Shown if only support can issue another link. */
function UnchangedAddressNote() {
  const supportEmail = useFirm()?.supportEmail ?? ''
  return (
    <p>
      <Trans>
        Your previous email address stays active until you open the link. For a new link, email{' '}
        <EmailLink address={supportEmail} />.
      </Trans>
    </p>
  )
}

/** Shown to an invited person without a password, who needs no new invitation. */
function MissingPasswordNote() {
  return (
    <p>
      <Trans>
        No password yet? <Link href={portalPaths.forgotPassword}>Request a link</Link> to set one.
      </Trans>
    </p>
  )
}
