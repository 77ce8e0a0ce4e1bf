import { Trans } from '@lingui/react/macro'
import { EmailText, EmailLink } from '#ui/text/email-link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'

/** The firm rejected the client: nothing is pending, and nothing more is requested. */
export function NotAccepted({ email, supportEmail }: { email: string; supportEmail: string }) {
  return (
    <Alert kind="wait" title={<Trans>We cannot accept your application</Trans>}>
      <Trans>
        We have emailed the reason to <EmailText address={email} />. You do not need to send more documents. For
        questions, email <EmailLink address={supportEmail} />.
      </Trans>
    </Alert>
  )
}

/** The country of residence has a risk level for which no document is accepted. */
export function CountryNotAccepted({ supportEmail }: { supportEmail: string }) {
  return (
    <Alert kind="wait" title={<Trans>We cannot accept documents from your country of residence</Trans>}>
      <Trans>
        Email <EmailLink address={supportEmail} /> to find out your options.
      </Trans>
    </Alert>
  )
}
