import { IconFileTypePdf } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { mailWireDetails, type WireDetails } from '#contract/deposits.ts'
import { epcPayment } from '#rules/epc-payment.ts'
import { decimalOf, type Money as Amount } from '#rules/money.ts'
import { Button } from '#ui/forms/button.tsx'
import { CopyButton } from '#ui/data/copy-button.tsx'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { groupedByFour, sortCodeText } from '#ui/text/code-format.ts'
import { moneyText } from '#ui/money/money.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { dayText } from '#ui/text/time.tsx'
import { useFileDownload } from '#ui/api/use-saving.ts'
import { usePortalSettings } from '../../portal-settings.ts'
import { useClient } from '../../session.ts'
import './wire-details.css'

const QrCode = lazyPart(async () => (await import('#ui/data/qr-code.tsx')).QrCode)

interface WireDetailsCardProps {
  id: string
  details: WireDetails
  amount: Amount
  expiresAt: Date
}

/** The firm's account: the reference is the most prominent part, and the primary button copies it. */
export function WireDetailsCard({ id, details, amount, expiresAt }: WireDetailsCardProps) {
  const { t, i18n } = useLingui()
  const timeZone = usePortalSettings()?.firm.timeZone
  const rows = [
    { key: t`Account holder`, shown: details.AccountHolder, copied: details.AccountHolder },
    { key: t`IBAN`, shown: groupedByFour(details.IBAN), copied: details.IBAN.replace(/\s/g, '') },
    { key: t`Sort code`, shown: sortCodeText(details.SpecialId), copied: details.SpecialId },
    { key: t`Account number`, shown: groupedByFour(details.BankAccountNumber), copied: details.BankAccountNumber },
    { key: t`SWIFT/BIC`, shown: details.SwiftCode, copied: details.SwiftCode },
    { key: t`Bank`, shown: details.BankName, copied: null },
    { key: t`Amount`, shown: moneyText(amount, i18n.locale), copied: decimalOf(amount.minor) },
  ].filter((row) => row.shown !== '')
  return (
    <section className="sheet" aria-label={t`Bank details`}>
      <div className="wire-reference">
        <p className="section-name">{t`Reference`}</p>
        <div className="row between wrap">
          <span className="wire-reference-text numbers">{details.BankReference}</span>
          <CopyButton kind="primary" text={details.BankReference} name={t`Copy reference`}>
            {t`Copy reference`}
          </CopyButton>
        </div>
      </div>
      <dl className="wire-details">
        {rows.map((row) => (
          <div key={row.key}>
            <dt>{row.key}</dt>
            <dd className="numbers">
              <span>{row.shown}</span>
              {row.copied !== null && <CopyButton text={row.copied} name={t`Copy ${row.key}`} />}
            </dd>
          </div>
        ))}
      </dl>
      <TransferCode details={details} amount={amount} />
      <WireActions id={id} reference={details.BankReference} />
      <p className="wire-until">
        <Trans>
          If your payment has not arrived by {dayText(expiresAt, i18n.locale, undefined, timeZone)}, we will cancel this
          request.
        </Trans>
      </p>
    </section>
  )
}

/** The same as a QR code for banking apps, if the scheme supports it: euros to a SEPA account (EPC069-12). */
function TransferCode({ details, amount }: Pick<WireDetailsCardProps, 'details' | 'amount'>) {
  const { t } = useLingui()
  const { AccountHolder, IBAN, SwiftCode, BankReference } = details
  const text = epcPayment({ name: AccountHolder, iban: IBAN, bic: SwiftCode, amount, reference: BankReference })
  if (text === null) return null
  return (
    <div className="wire-code">
      <span className="wire-code-place">
        <QrCode text={text} label={t`QR code with these transfer details`} level="M" />
      </span>
      <div>
        <p className="strong">{t`Scan with your banking app`}</p>
        <p className="muted size-14">
          <Trans>
            The code fills in the account, the amount and the reference. Compare them with the details above before you
            pay. Not all banking apps support these codes.
          </Trans>
        </p>
      </div>
    </div>
  )
}

function WireActions({ id, reference }: { id: string; reference: string }) {
  const { t } = useLingui()
  const email = useClient()?.email ?? ''
  const pdf = useFileDownload()
  const mail = useEndpointMutation(mailWireDetails, {
    onDone: () => showToast(() => t`Sent to ${email}.`),
    onFailure: (failure) => showToast(() => failure.error, { kind: 'bad' }),
  })
  return (
    <footer className="wire-commands">
      <Button
        icon={<IconFileTypePdf className="small" aria-hidden="true" />}
        pending={pdf.isPending}
        onClick={() => pdf.save(`/api/accounts/wireDetails/${encodeURIComponent(id)}.pdf`, `${reference}.pdf`)}
      >
        <Trans>Save as PDF</Trans>
      </Button>
      <Button kind="quiet" pending={mail.isPending} onClick={() => mail.mutate({ id })}>{t`Send to my email`}</Button>
    </footer>
  )
}
