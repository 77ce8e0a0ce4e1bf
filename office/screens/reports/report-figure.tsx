import type { ReactNode } from 'react'

/** A figure of a report; on a phone, where its column has no head, the word of the column stands before it. */
export function ReportFigure({ word, children }: { word: string; children: ReactNode }) {
  return (
    <>
      <span className="report-word">{word} </span>
      {children}
    </>
  )
}
