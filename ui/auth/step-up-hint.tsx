import { useLingui } from '@lingui/react/macro'
import { IconLock } from '@tabler/icons-react'
import { useContext, useEffect, useState } from 'react'
import { useEndpoint } from '../api/endpoint-query.ts'
import { StepUpContext, type StepUpCalls } from './step-up.ts'

const shownForMs = 60_000

/**
 * Says before the click that the password or a code will be required; hidden while the last confirmation is valid,
 * unless the request always requires one of its own.
 */
export function StepUpHint({ always = false }: { always?: boolean }) {
  const calls = useContext(StepUpContext)
  return calls && <Hint calls={calls} always={always} />
}

function Hint({ calls, always }: { calls: StepUpCalls; always: boolean }) {
  const { t } = useLingui()
  const { data } = useEndpoint(calls.show, {}, { staleMs: shownForMs })
  const ended = useHasPassed(data?.until ?? null)
  if (!data || !(ended || always)) return null
  return (
    <span className="row muted size-13">
      <IconLock className="small" aria-hidden="true" />
      <span>
        {data.by === 'code' ? t`We will ask for an authenticator code first.` : t`We will ask for your password first.`}
      </span>
    </span>
  )
}

/** Returns whether a time has passed, and renders again when it does. Null has always passed. */
function useHasPassed(at: Date | null): boolean {
  const [now, setNow] = useState(() => Date.now())
  const left = at === null ? 0 : at.getTime() - now
  useEffect(() => {
    if (left <= 0) return undefined
    const waiting = setTimeout(() => setNow(Date.now()), left)
    return () => clearTimeout(waiting)
  }, [left])
  return left <= 0
}
