import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { portalPaths } from '#contract/portal-paths.ts'
import { confirmEmail } from '#contract/users-session.ts'
import { ButtonLink } from '#ui/button.tsx'
import { call } from '#ui/call.ts'
import { Failure } from '#ui/failure.ts'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { useWindowTitle } from '#ui/page-header.tsx'
import { ProgressMark } from '#ui/progress-mark.tsx'
import type { ScreenProps } from '#ui/screens.tsx'
import { session } from '../../session.ts'

type Outcome = { state: 'asking' } | { state: 'confirmed'; sentence: string } | { state: 'refused'; sentence: string }

/** A link confirms once: the call of an address is shared by everybody who draws the page. */
const calls = new Map<string, ReturnType<typeof confirm>>()

function confirm(rest: string) {
  return call(confirmEmail, { '*': rest })
}

/** Opening the page confirms nothing, its own call does (product-decisions section 4). */
export default function EmailConfirm({ params }: ScreenProps) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const rest = params['rest'] ?? ''
  const [outcome, setOutcome] = useState<Outcome>({ state: 'asking' })
  useWindowTitle(t`E-mail confirmation`)
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
      },
      (thrown: unknown) => {
        calls.delete(rest)
        if (seen)
          setOutcome({
            state: 'refused',
            sentence: thrown instanceof Failure ? thrown.error : t`Something went wrong!`,
          })
      },
    )
    return () => {
      seen = false
    }
  }, [rest, navigate, t])
  return (
    <div className="form stack-6">
      <h1>
        <Trans>E-mail confirmation</Trans>
      </h1>
      {outcome.state === 'asking' && (
        <p className="row" role="status">
          <ProgressMark />
          <Trans>Your address is being confirmed.</Trans>
        </p>
      )}
      {outcome.state === 'confirmed' && <Notice kind="ok">{outcome.sentence}</Notice>}
      {outcome.state === 'refused' && (
        <>
          <Notice kind="bad">{outcome.sentence}</Notice>
          <p>
            <Trans>
              Your registration is still open? <Link href={portalPaths.register}>Go on with it</Link> and ask for
              another mail there.
            </Trans>
          </p>
        </>
      )}
      {outcome.state !== 'asking' && (
        <ButtonLink href={portalPaths.login} kind="primary">
          <Trans>LOG IN</Trans>
        </ButtonLink>
      )}
    </div>
  )
}
