import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { FirmNotice } from '#ui/feedback/firm-notice.tsx'
import { Button } from '#ui/forms/button.tsx'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { usePortalSettings, usePortalSettingsRead } from '../../portal-settings.ts'
import './under-firm-notice.css'

const NoticeDialog = lazyPart(async () => (await import('./dialogs.ts')).NoticeDialog)

/** The content of a page, below the firm's notice if there is one. */
export function UnderFirmNotice({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const settings = usePortalSettings()
  const { isPending } = usePortalSettingsRead()
  const [isOpen, setOpen] = useState(false)
  const notice = settings?.notice
  return (
    <div className={settings === undefined && isPending ? 'notice-unsettled' : undefined}>
      {notice && (
        <div className="above-page">
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
