import './image-viewer.css'
import {
  IconArrowsMaximize,
  IconChevronLeft,
  IconChevronRight,
  IconColumns2,
  IconDownload,
  IconRotate,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { IconButton } from '#ui/forms/button.tsx'
import { ApiError } from '#ui/api/api-error.ts'
import { numberFormat } from '#ui/text/formats.ts'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { useFileUrl } from '#ui/api/upload.ts'
import { imagePath } from './image-path.ts'
import { useIsAuditing } from '../session.ts'
import { ReasonForm, saveOriginal } from './original-file.tsx'
import { FittedImage, useInnerSize, type Size } from './fitted-image.tsx'
import { Thumbnail } from './thumbnail.tsx'

export interface ViewedSide {
  fileId: string
  filename: string
  pages: number
  /** "Front", "Back", or the name of the document. */
  name: string
  /** Why it cannot be shown, such as a pending scan. */
  hiddenReason?: string | undefined
}

const zooms = [0.5, 0.75, 1, 1.4, 2, 3, 4] as const
const fit = 2

interface ViewerProps {
  sides: readonly ViewedSide[]
  head?: React.ReactNode
  /** Of two viewers side by side, the one that the keys control, and its name. */
  isActive?: boolean
  onActive?: () => void
  name?: string
  /** The side shown first. */
  firstSide?: number
  /** Opens another document beside this one. */
  compare?: { shown: boolean; toggle: () => void } | undefined
}

/**
 * A client's images in large, with zoom, rotation and pages. Requests carry the bearer token; an auditor first gives a
 * reason, which is logged.
 */
export function ImageViewer({ sides, head, isActive = true, onActive, name, firstSide = 0, compare }: ViewerProps) {
  const auditing = useIsAuditing()
  const [reason, setReason] = useState('')
  const [shown, setShown] = useState({ side: firstSide, page: 1 })
  const side = sides[shown.side] ?? sides[0]
  if (!side) return null
  return (
    <div
      className="viewer"
      role={name === undefined ? undefined : 'group'}
      aria-label={name}
      aria-current={onActive && isActive ? 'true' : undefined}
      onFocusCapture={onActive}
      onPointerDownCapture={onActive}
    >
      {head}
      {auditing && reason === '' ? (
        <ViewingReason onReason={setReason} />
      ) : (
        <Stage
          key={side.fileId}
          side={side}
          page={shown.page}
          reason={reason}
          isActive={isActive}
          compare={compare}
          onPage={(page) => setShown({ ...shown, page })}
          onReason={setReason}
        />
      )}
      {sides.length > 1 && (
        <div className="viewer-thumbs">
          {sides.map((one, index) => (
            <button
              key={one.fileId}
              type="button"
              aria-pressed={one === side}
              onClick={() => setShown({ side: index, page: 1 })}
            >
              <Thumbnail fileId={one.hiddenReason || (auditing && reason === '') ? null : one.fileId} reason={reason}>
                <i />
              </Thumbnail>
              {one.name}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

interface StageProps extends Pick<ViewerProps, 'isActive' | 'compare'> {
  side: ViewedSide
  page: number
  reason: string
  onPage: (page: number) => void
  onReason: (reason: string) => void
}

function Stage({ side, page, reason, isActive, compare, onPage, onReason }: StageProps) {
  const { t, i18n } = useLingui()
  const { address, failure } = useFileUrl(side.hiddenReason ? null : imagePath(side.fileId, page, reason))
  const [zoom, setZoom] = useState(fit)
  const [turns, setTurns] = useState(0)
  const [size, setSize] = useState<Size | null>(null)
  const [known, setKnown] = useState(page)
  // Another page is shown upright and fitted; the tools stay, and keep the focus.
  if (known !== page) {
    setKnown(page)
    setZoom(fit)
    setTurns(0)
    setSize(null)
  }
  const stage = useRef<HTMLDivElement>(null)
  const innerSize = useInnerSize(stage)
  const larger = () => setZoom(Math.min(zooms.length - 1, zoom + 1))
  const smaller = () => setZoom(Math.max(0, zoom - 1))
  const turn = () => setTurns((turns + 1) % 4)
  useShortcuts(isActive ? { '+': larger, '=': larger, '-': smaller, '0': () => setZoom(fit), t: turn } : {})
  const code = failure instanceof ApiError ? failure.code : null
  const isUndisplayable = code === 'file-undisplayable'
  return (
    <>
      <div className="viewer-tools" role="group" aria-label={t`Image`}>
        <IconButton name={t`Zoom in (+)`} onClick={larger}>
          <IconZoomIn aria-hidden="true" />
        </IconButton>
        <IconButton name={t`Zoom out (−)`} onClick={smaller}>
          <IconZoomOut aria-hidden="true" />
        </IconButton>
        <IconButton name={t`Rotate (t)`} onClick={turn}>
          <IconRotate aria-hidden="true" />
        </IconButton>
        <IconButton name={t`Fit (0)`} onClick={() => setZoom(fit)}>
          <IconArrowsMaximize aria-hidden="true" />
        </IconButton>
        <span className="numbers">{numberFormat(i18n.locale, { style: 'percent' }).format(zooms[zoom] ?? 1)}</span>
        {side.pages > 1 && <PageSteps page={page} pages={side.pages} onPage={onPage} />}
        {compare && (
          <IconButton name={t`Compare side by side (b)`} aria-pressed={compare.shown} onClick={compare.toggle}>
            <IconColumns2 aria-hidden="true" />
          </IconButton>
        )}
        {!isUndisplayable && (
          <IconButton name={t`Download original (logged)`} onClick={() => void saveOriginal(side, reason)}>
            <IconDownload aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {/* An overflowing image scrolls by keys too. */}
      <div className="viewer-stage" ref={stage} tabIndex={0} role="group" aria-label={side.name}>
        {address ? (
          <FittedImage
            address={address}
            name={side.name}
            turns={turns}
            zoom={zooms[zoom] ?? 1}
            size={size}
            available={innerSize}
            onSize={setSize}
          />
        ) : code === 'picture-reason' ? (
          <ViewingReason onReason={onReason} />
        ) : isUndisplayable && failure instanceof ApiError ? (
          <Undisplayable side={side} error={failure.error} />
        ) : (
          <ImageState side={side} failure={failure} />
        )}
      </div>
    </>
  )
}

function PageSteps({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  const { t } = useLingui()
  return (
    <>
      <IconButton
        name={t`Previous page`}
        aria-disabled={page === 1 || undefined}
        onClick={() => page > 1 && onPage(page - 1)}
      >
        <IconChevronLeft aria-hidden="true" />
      </IconButton>
      <span className="numbers">{t`${page} of ${pages}`}</span>
      <IconButton
        name={t`Next page`}
        aria-disabled={page === pages || undefined}
        onClick={() => page < pages && onPage(page + 1)}
      >
        <IconChevronRight aria-hidden="true" />
      </IconButton>
    </>
  )
}

function ImageState({ side, failure }: { side: ViewedSide; failure: unknown }) {
  if (side.hiddenReason) return <Alert kind="wait">{side.hiddenReason}</Alert>
  if (failure)
    return (
      <Alert kind="bad">
        {failure instanceof ApiError ? failure.error : <Trans>The image could not be displayed.</Trans>}
      </Alert>
    )
  return <Spinner size={24} />
}

/** Downloads a file that could not be displayed, at the reader’s own risk. The reason is required and logged. */
function Undisplayable({ side, error }: { side: ViewedSide; error: string }) {
  const { t } = useLingui()
  return (
    <div className="viewer-said stack">
      <Alert kind="bad">{error}</Alert>
      <ReasonForm
        label={t`Reason for opening this file`}
        command={t`Download the file`}
        onReason={(reason) => void saveOriginal(side, reason)}
      />
    </div>
  )
}

/** An auditor sees images only with a written reason, which is logged (requirements 1.9). */
function ViewingReason({ onReason }: { onReason: (reason: string) => void }) {
  const { t } = useLingui()
  return (
    <div className="viewer-said">
      <ReasonForm label={t`Reason for viewing the images`} command={t`Show images`} onReason={onReason} />
    </div>
  )
}
