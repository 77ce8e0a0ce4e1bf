import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { Skeleton } from '#ui/feedback/content-states.tsx'
import './funding.css'

/** After 10 s a page must say what it waits for (requirements 36.6). */
export const slowAfterMs = 10_000

/** Placeholder of a step of a money flow while its data load. */
export function LoadingStep() {
  const { t } = useLingui()
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="money-waits on-page">
      <p className="muted" role="status">
        {isSlow
          ? t`We are waiting for a response from our server. Your money is not affected.`
          : t`Loading the details.`}
      </p>
      <div className="money-waits" aria-busy="true">
        <Skeleton width={320} height={28} />
        <Skeleton width="100%" height={74} />
        <Skeleton width="100%" height={74} />
      </div>
    </div>
  )
}
