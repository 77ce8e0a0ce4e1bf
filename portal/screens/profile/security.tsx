import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { endSession, listSessions } from '#contract/security.ts'
import { Button } from '#ui/forms/button.tsx'
import { useDeviceLabels } from '#ui/text/device-labels.ts'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { StepUpHint } from '#ui/auth/step-up-hint.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Time } from '#ui/text/time.tsx'
import { session } from '../../session.ts'
import { ChangePassword } from './change-password.tsx'
import { SecondFactor } from './second-factor.tsx'

/** Password, second factor and open sessions; one form at a time. */
export function Security({ secondFactor }: { secondFactor: boolean }) {
  const { t } = useLingui()
  const [open, setOpen] = useState<'password' | 'second-factor' | null>(null)
  return (
    <>
      <section className="profile-block">
        <h3 className="title-4">{t`Password`}</h3>
        <ChangePassword
          open={open === 'password'}
          waits={open === 'second-factor'}
          onOpen={(next) => setOpen(next ? 'password' : null)}
        />
      </section>
      <section className="profile-block">
        <h3 className="title-4">{t`Two-factor authentication (2FA)`}</h3>
        <SecondFactor
          on={secondFactor}
          waits={open === 'password'}
          onOpen={(next) => setOpen(next ? 'second-factor' : null)}
        />
      </section>
      <section className="profile-block">
        <h3 className="title-4">{t`Active sessions`}</h3>
        <Sessions />
      </section>
    </>
  )
}

function Sessions() {
  const { t } = useLingui()
  const deviceWords = useDeviceLabels()
  const { data, error, refetch } = useEndpoint(listSessions, {})
  const end = useEndpointMutation(endSession, { refreshes: [listSessions] })
  const [endingId, setEndingId] = useState<string | null>(null)
  if (error) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton width={320} height={24} />
  const close = (row: (typeof data.sessions)[number]) => {
    setEndingId(row.id)
    end.mutate({ sessionId: row.id }, { onSuccess: () => row.current && session.end('logout') })
  }
  const endLabel = (device: string) => t`End the session on ${device}`
  return (
    <ul className="sessions">
      {end.error && (
        <li>
          <Alert kind="bad">{end.error.message}</Alert>
        </li>
      )}
      {data.sessions.length > 1 && (
        <li>
          <StepUpHint />
        </li>
      )}
      {data.sessions.map((row) => (
        <li key={row.id}>
          <div className="grow">
            <p>
              <b className="strong">{deviceWords(row.device)}</b>{' '}
              {row.current && <span className="tag">{t`this device`}</span>}
            </p>
            <p className="muted size-13">
              <Trans>
                {row.address}
                {'\u00a0'}·{' '}
                <span className="unbroken">
                  last seen <Time at={row.lastSeenAt} />
                </span>
                {'\u00a0'}·{' '}
                <span className="unbroken">
                  since <Time at={row.createdAt} />
                </span>
              </Trans>
            </p>
          </div>
          <Button
            size="small"
            pending={end.isPending && endingId === row.id}
            onClick={() => close(row)}
            aria-label={endLabel(deviceWords(row.device))}
          >
            <Trans>End</Trans>
          </Button>
        </li>
      ))}
    </ul>
  )
}
