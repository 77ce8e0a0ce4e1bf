import { Skeleton } from '#ui/feedback/content-states.tsx'
import './funding.css'

/** Placeholder of the first step of a money flow while the accounts load. */
export function LoadingStep() {
  return (
    <div className="money-waits on-page" aria-busy="true">
      <Skeleton width={320} height={28} />
      <Skeleton width="100%" height={74} />
      <Skeleton width="100%" height={74} />
    </div>
  )
}
