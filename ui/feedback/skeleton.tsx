import type { CSSProperties } from 'react'
import './skeleton.css'

/** The place of a figure that is still coming, with its size; seen only after 400 ms, never before. */
export function Skeleton({ width, height = 14 }: { width: number | string; height?: number }) {
  const style: CSSProperties = { width, height }
  return <span className="skeleton" style={style} aria-hidden="true" />
}

/** The place of a sentence of figures: one line, two on a phone. */
export function SentenceSkeleton() {
  return (
    <>
      <Skeleton width={290} /> <Skeleton width={130} />
    </>
  )
}
