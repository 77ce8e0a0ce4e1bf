import type { CSSProperties } from 'react'
import './skeleton.css'

/** Placeholder of a value while it loads, with its size; visible only after 400 ms. */
export function Skeleton({ width, height = 14 }: { width: number | string; height?: number }) {
  const style: CSSProperties = { width, height }
  return <span className="skeleton" style={style} aria-hidden="true" />
}

/** Placeholder of a sentence of figures: one line, two on a phone. */
export function SentenceSkeleton() {
  return (
    <>
      <Skeleton width={290} /> <Skeleton width={130} />
    </>
  )
}
