import { Trans } from '@lingui/react/macro'
import { EmailText, EmailLink } from '#ui/text/email-link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'

/** The firm refused the client: nothing is waited for any more, and nothing more is asked. */
export function NotAccepted({ email, supportEmail }: { email: string; supportEmail: string }) {
  return (
    <Alert kind="wait" title={<Trans>We cannot accept your application</Trans>}>
      <Trans>
        We have written the reason to <EmailText address={email} />. No more documents are needed. Questions are
        answered at <EmailLink address={supportEmail} />.
      </Trans>
    </Alert>
  )
}

/** The country of residence has a level from which no document is accepted. */
export function CountryNotAccepted({ supportEmail }: { supportEmail: string }) {
  return (
    <Alert kind="wait" title={<Trans>We cannot take documents from your country of residence</Trans>}>
      <Trans>
        Write to <EmailLink address={supportEmail} />; we tell you what can be done.
      </Trans>
    </Alert>
  )
}
