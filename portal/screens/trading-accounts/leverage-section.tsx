import { IconArrowRight, IconScale } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Account } from '#contract/accounts.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { money } from '#rules/money.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { leverageText } from '#ui/text/code-format.ts'
import { Link } from '#ui/navigation/link.tsx'
import { EmailText } from '#ui/text/email-link.tsx'
import { Money } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { Select } from '#ui/forms/select.tsx'
import { Time } from '#ui/text/time.tsx'
import { numberFormat } from '#ui/text/formats.ts'
import { usePortalSettings } from '../../portal-settings.ts'
import { useClient } from '../../session.ts'

interface LeverageSectionProps {
  account: Account
  /** Leverages that may be requested now; empty if a request is pending or no other is permitted. */
  choices: readonly number[]
  chosen: number | null
  onChosen: (leverage: number | null) => void
  failure: unknown
}

export function LeverageSection({ account, choices, chosen, onChosen, failure }: LeverageSectionProps) {
  const { t } = useLingui()
  return (
    <section>
      <h3>{t`Leverage`}</h3>
      {account.leverageRequest ? (
        <PendingRequest request={account.leverageRequest} />
      ) : choices.length === 0 ? (
        <FixedLeverage account={account} />
      ) : (
        <>
          <div className="leverage-change">
            <div>
              <p className="title-4">{t`Now`}</p>
              <p className="leverage-now numbers">{leverageText(account.leverage)}</p>
            </div>
            <IconArrowRight className="faint" aria-hidden="true" />
            <Select
              label={t`New`}
              placeholder={t`Choose`}
              value={chosen === null ? '' : String(chosen)}
              options={choices.map((leverage) => ({ value: String(leverage), label: leverageText(leverage) }))}
              error={failure instanceof ApiError ? (failure.errors['leverage'] ?? failure.error) : undefined}
              onChange={(event) => onChosen(event.target.value === '' ? null : Number(event.target.value))}
            />
          </div>
          {chosen !== null && <LeverageEffect account={account} chosen={chosen} />}
        </>
      )}
    </section>
  )
}

function PendingRequest({ request }: { request: NonNullable<Account['leverageRequest']> }) {
  return (
    <div className="leverage-note">
      <Alert kind="wait">
        <Trans>
          {leverageText(request.from)} → <b className="strong">{leverageText(request.to)}</b>, requested on{' '}
          <Time at={request.since} />. Awaiting our approval. Your current leverage is {leverageText(request.from)}.
        </Trans>
      </Alert>
    </div>
  )
}

/** Without a choice: says why, and how to change that. */
function FixedLeverage({ account }: { account: Account }) {
  return (
    <p className="leverage-fixed">
      <span className="leverage-now numbers">{leverageText(account.leverage)}</span>
      <span className="muted size-14">
        <FixedLeverageReason account={account} />
      </span>
    </p>
  )
}

function FixedLeverageReason({ account }: { account: Account }) {
  const client = useClient()
  const settings = usePortalSettings()
  if (account.closed) return <Trans>This account is closed. You can no longer change its leverage.</Trans>
  if (settings?.windDown.leverage) return <Trans>You can no longer change the leverage of your accounts.</Trans>
  if (client?.clientStatus === 'professional' && account.clientStatus === 'retail')
    return (
      <Trans>
        This is a retail account. To change it to a professional account, email{' '}
        <EmailText address={settings?.firm.supportEmail ?? ''} />.
      </Trans>
    )
  return (
    <>
      <Trans>This is the leverage of this account.</Trans>{' '}
      {client?.clientStatus === 'retail' && settings?.disabledProfessionalClientApplication === false && (
        <Trans>
          Professional clients can request more:{' '}
          <Link href={portalPaths.professionalClientStatus}>Professional Client Status</Link>
        </Trans>
      )}
    </>
  )
}

/** Shows the effect of a change on the current margin: the same positions at the new leverage. */
function LeverageEffect({ account, chosen }: { account: Account; chosen: number }) {
  const { t, i18n } = useLingui()
  const { equity, freeMargin, openPositions, baseCurrency, leverage } = account
  const used = equity === null || freeMargin === null ? 0n : equity - freeMargin
  const then = (used * BigInt(leverage)) / BigInt(chosen)
  const times = numberFormat(i18n.locale, { maximumFractionDigits: 1 }).format(
    Math.max(chosen, leverage) / Math.min(chosen, leverage),
  )
  return (
    <div className="leverage-note">
      <Alert kind="wait" icon={<IconScale className="small" aria-hidden="true" />}>
        <Trans>Awaiting our approval.</Trans>{' '}
        {openPositions !== null && openPositions > 0 && used > 0n && (
          <Trans>
            The margin of your <Plural value={openPositions} one="# open position" other="# open positions" /> would
            change from <Money amount={money(used, baseCurrency)} /> to <Money amount={money(then, baseCurrency)} />.
          </Trans>
        )}{' '}
        {chosen > leverage
          ? t`The same margin then supports positions ${times} times as large. Losses can also be ${times} times as large.`
          : t`The same positions then require ${times} times the margin.`}
      </Alert>
    </div>
  )
}
