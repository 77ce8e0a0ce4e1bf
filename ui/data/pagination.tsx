import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../forms/button.tsx'
import './pagination.css'

export interface PaginationProps {
  /** Rows per page, and the sizes to choose from (history: 10 or 20). */
  size: number
  sizes: readonly number[]
  onSize: (size: number) => void
  /** Omitted if there is no such page. */
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  /** The rows are not sorted newest first: the buttons do not say "newer" or "older". */
  reordered?: boolean
  /** On the right: "1 to 10", or how many are shown. */
  range?: ReactNode
}

/** Page size on the left, range and buttons on the right. Lists use cursors, so there are no page numbers. */
export function Pagination({ size, sizes, onSize, onPrevious, onNext, reordered = false, range }: PaginationProps) {
  const { t } = useLingui()
  const foot = useRef<HTMLDivElement>(null)
  const shown = typeof range === 'string' ? range : null
  // A longer page would move the focused button out of view.
  useEffect(() => {
    if (foot.current?.contains(document.activeElement)) foot.current.scrollIntoView({ block: 'nearest' })
  }, [shown])
  return (
    <div ref={foot} className="pagination">
      <div className="row" role="group" aria-label={t`Rows per page`}>
        <span className="muted size-14">{t`Rows`}</span>
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
