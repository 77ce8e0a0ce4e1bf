import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { FirmNoticeDates, type FirmNoticeText } from '#ui/feedback/firm-notice.tsx'
import { useFirm } from '#ui/layout/firm.ts'

/** The full notice, with its dates as a table. */
export function NoticeDialog({ notice, onClose }: { notice: FirmNoticeText; onClose: () => void }) {
  const { t } = useLingui()
  const email = useFirm()?.supportEmail
  return (
    <Dialog
      title={notice.title}
      onClose={onClose}
      actions={<Button kind="primary" onClick={onClose}>{t`Close`}</Button>}
    >
      <div className="stack">
        {notice.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {notice.dates.length > 0 && <FirmNoticeDates notice={notice} />}
        {email && (
          <p className="size-14 muted">
            <Trans>
              Questions: <a href={`mailto:${email}`}>{email}</a>
            </Trans>
          </p>
        )}
      </div>
    </Dialog>
  )
}
