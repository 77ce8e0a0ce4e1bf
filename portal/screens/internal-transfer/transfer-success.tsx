import { IconCircleCheckFilled } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { portalPaths } from '#contract/portal-paths.ts'
import { currencies, money } from '#rules/money.ts'
import { ButtonLink } from '#ui/button.tsx'
import { moneyText } from '#ui/money.tsx'
import { useWindowTitle } from '#ui/page-header.tsx'
import { numberText } from '../../funding/accounts.ts'
import '../../funding/funding.css'
import { useStoredResult } from '../../funding/kept-request.ts'
import { NoResult } from '../../funding/no-result.tsx'
import { NextOfTransfer } from './next-of-transfer.tsx'

const minor = z.string().check(z.regex(/^\d{1,18}$/))
const storedTransfer = z.object({
  id: z.string(),
  reference: z.string(),
  amount: minor,
  currency: z.enum(currencies),
  arrives: minor,
  arrivesCurrency: z.enum(currencies),
  source: z.string(),
  destination: z.string(),
  at: z.int(),
})
type StoredTransfer = z.output<typeof storedTransfer>

/** SUCCESS: the transfer waits for approval (specification section 2). */
export function TransferSuccess() {
  const { t } = useLingui()
  const stored = useStoredResult('transfer', storedTransfer)
  useWindowTitle(t`Internal transfer`)
  if (!stored) return <NoResult list="transfers" />
  return (
    <div className="with-slip">
      <div>
        <header className="page-header">
          <div role="status">
            <p className="received-mark capitals tone-ok">
              <IconCircleCheckFilled aria-hidden="true" />
              {t`Request received`}
            </p>
            <h1>
              <Trans>Your transfer waits for approval</Trans>
            </h1>
            <Sentence stored={stored} />
          </div>
        </header>
        <div className="result-commands">
          <ButtonLink kind="primary" href={portalPaths.history('transfers', stored.id)}>
            <Trans>Transactions History</Trans>
          </ButtonLink>
          <ButtonLink href={portalPaths.internalTransfer}>
            <Trans>Another transfer</Trans>
          </ButtonLink>
        </div>
      </div>
      <NextOfTransfer destination={stored.destination} requestedAt={new Date(stored.at)} />
    </div>
  )
}

function Sentence({ stored }: { stored: StoredTransfer }) {
  const { i18n } = useLingui()
  const amount = moneyText(money(BigInt(stored.amount), stored.currency), i18n.locale)
  const arrives = moneyText(money(BigInt(stored.arrives), stored.arrivesCurrency), i18n.locale)
  const [from, to] = [numberText(stored.source), numberText(stored.destination)]
  return (
    <p>
      <Trans>
        {amount} is set aside in {from}. When we have approved the transfer, {arrives} arrives in {to}. Reference{' '}
        <span className="unbroken">{stored.reference}</span>.
      </Trans>
    </p>
  )
}
