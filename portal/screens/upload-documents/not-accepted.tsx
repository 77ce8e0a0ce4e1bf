import { Trans } from '@lingui/react/macro'
import { MailAddress, MailLink } from '#ui/text/email-link.tsx'
import { Notice } from '#ui/feedback/alert.tsx'

/** The firm refused the client: nothing is waited for any more, and nothing more is asked. */
export function NotAccepted({ email, supportEmail }: { email: string; supportEmail: string }) {
  return (
    <Notice kind="wait" title={<Trans>We cannot accept your application</Trans>}>
      <Trans>
        We have written the reason to <MailAddress address={email} />. No more documents are needed. Questions are
        answered at <MailLink address={supportEmail} />.
      </Trans>
    </Notice>
  )
}

/** The country of residence has a level from which no document is accepted. */
export function CountryNotAccepted({ supportEmail }: { supportEmail: string }) {
  return (
    <Notice kind="wait" title={<Trans>We cannot take documents from your country of residence</Trans>}>
      <Trans>
        Write to <MailLink address={supportEmail} />; we tell you what can be done.
      </Trans>
    </Notice>
  )
}
