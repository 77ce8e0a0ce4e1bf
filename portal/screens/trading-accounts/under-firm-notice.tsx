import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { FirmNotice } from '#ui/feedback/firm-notice.tsx'
import { Button } from '#ui/forms/button.tsx'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { readBroughtInAnyLanguage, usePortalSettings, usePortalSettingsRead } from '../../portal-settings.ts'
import './under-firm-notice.css'

const NoticeDialog = lazyPart(async () => (await import('./dialogs.ts')).NoticeDialog)

/**
 * The content of a page, below the firm's notice if there is one. Until its text in the reader's language is read, the
 * text in the page's own language keeps its place, so that the content is shown at once and does not move then.
 */
export function UnderFirmNotice({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const settings = usePortalSettings()
  const { isPending } = usePortalSettingsRead()
  const [isOpen, setOpen] = useState(false)
  const [brought] = useState(() => settings ?? readBroughtInAnyLanguage())
  const notice = (settings ?? brought)?.notice
  const isAwaited = settings === undefined && isPending
  return (
    <div>
      {notice && (
        <div className={isAwaited ? 'above-page notice-awaited' : 'above-page'}>
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
