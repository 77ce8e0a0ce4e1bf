import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { FirmNotice } from '#ui/feedback/firm-notice.tsx'
import { Button } from '#ui/forms/button.tsx'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { embeddedInAnyLanguage, usePortalSettings, usePortalSettingsQuery } from '../../portal-settings.ts'
import './under-firm-notice.css'

const NoticeDialog = lazyPart(async () => (await import('./dialogs.ts')).NoticeDialog)

/**
 * The content of a page, below the firm's notice if there is one. Until its text in the reader's language has loaded,
 * the text in the language embedded in the page reserves the space, so that the content is shown immediately and does
 * not move later.
 */
export function UnderFirmNotice({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const settings = usePortalSettings()
  const { isPending } = usePortalSettingsQuery()
  const [isOpen, setOpen] = useState(false)
  const [brought] = useState(() => settings ?? embeddedInAnyLanguage())
  const notice = (settings ?? brought)?.notice
  const isAwaited = settings === undefined && isPending
  const place = useStablePosition(isAwaited)
  return (
    <div>
      {notice && (
        <div ref={place} className={isAwaited ? 'above-page notice-awaited' : 'above-page'}>
          <FirmNotice
            notice={notice}
            action={<Button size="small" onClick={() => setOpen(true)}>{t`Read the notice`}</Button>}
          />
        </div>
      )}
      {children}
      {isOpen && notice && <NoticeDialog notice={notice} onClose={() => setOpen(false)} />}
    </div>
  )
}

/**
 * Keeps the content below an element in place on the screen when its final text has loaded: a shorter text keeps the
 * height, for a longer one the page is scrolled. The browser keeps a page in place that is already scrolled.
 */
function useStablePosition(isAwaited: boolean) {
  const place = useRef<HTMLDivElement>(null)
  const reserved = useRef<number | null>(null)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    if (isAwaited) reserved.current = element.offsetHeight
    else if (reserved.current !== null) {
      const added = element.offsetHeight - reserved.current
      if (added < 0) element.style.minHeight = `${reserved.current}px`
      else if (scrollY === 0) scrollBy({ top: added, behavior: 'instant' })
      reserved.current = null
    }
  }, [isAwaited])
  return place
}
