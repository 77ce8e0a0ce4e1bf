import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../forms/button.tsx'
import './pagination.css'

export interface PaginationProps {
  /** Rows a page, and the sizes to choose from (history: 10 or 20). */
  size: number
  sizes: readonly number[]
  onSize: (size: number) => void
  /** Left out where there is no such page. */
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  /** The rows stand in another order than the newest first: the steps name no age. */
  reordered?: boolean
  /** At the right: "1 to 10", or how many are shown. */
  range?: ReactNode
}

/** Page size below left, range and steps right. Lists are read by cursor, so there are no page numbers. */
export function Pagination({ size, sizes, onSize, onPrevious, onNext, reordered = false, range }: PaginationProps) {
  const { t } = useLingui()
  const foot = useRef<HTMLDivElement>(null)
  const shown = typeof range === 'string' ? range : null
  // A longer page draws the step that led to it out of the window, and with it the focus.
  useEffect(() => {
    if (foot.current?.contains(document.activeElement)) foot.current.scrollIntoView({ block: 'nearest' })
  }, [shown])
  return (
    <div ref={foot} className="pagination">
      <div className="row" role="group" aria-label={t`Rows per page`}>
        <span className="muted size-14">
          <Trans>Rows</Trans>
        </span>
        {sizes.map((choice) => (
          <button
            key={choice}
            type="button"
            className="page-size"
            aria-pressed={choice === size}
            onClick={() => onSize(choice)}
          >
            {choice}
          </button>
        ))}
      </div>
      <div className="row">
        {range && <span className="muted size-14 numbers">{range}</span>}
        {(onPrevious || onNext) && (
          <>
            <Button
              size="small"
              icon={<IconChevronLeft className="small" aria-hidden="true" />}
              onClick={onPrevious}
              {...(onPrevious ? {} : { 'aria-disabled': true })}
            >
              {reordered ? <Trans>Previous</Trans> : <Trans>Newer</Trans>}
            </Button>
            <Button
              size="small"
              iconAfter={<IconChevronRight className="small" aria-hidden="true" />}
              onClick={onNext}
              {...(onNext ? {} : { 'aria-disabled': true })}
            >
              {reordered ? <Trans>Next</Trans> : <Trans>Older</Trans>}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
