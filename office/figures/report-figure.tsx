import type { ReactNode } from 'react'
import './figures.css'

/** A figure of a table; on a phone, without column heads, it is preceded by the label of its column. */
export function ReportFigure({ word, children }: { word: string; children: ReactNode }) {
  return (
    <>
      <span className="phone-only report-word">{word} </span>
      {children}
    </>
  )
}
