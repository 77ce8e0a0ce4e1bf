import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getTransferTimeline } from '#contract/history.ts'
import type { MethodRecord } from '#contract/settings.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Time } from '#ui/text/time.tsx'
import { withUnbrokenRanges } from '#ui/text/no-break.ts'
import { accountNumberText, type OpenAccount } from '../../funding/accounts.ts'
import { usePortalSettings } from '../../portal-settings.ts'
import { NextSteps } from '../../funding/next-steps.tsx'

/** A bank transfer: the client's steps, then ours. */
export function WireNextSteps({ account, method }: { account: OpenAccount; method: MethodRecord }) {
  const { t } = useLingui()
  return (
    <NextSteps
      entries={[
        { title: t`You confirm`, text: t`We will show you our bank details and a payment reference.` },
        {
          title: t`Your bank sends the money`,
          text: t`You do this in your banking app. It takes ${withUnbrokenRanges(method.time)}.`,
        },
        { title: t`We identify your payment`, text: t`On the working day we receive it.` },
        { title: t`Credited to ${accountNumberText(account.number)}`, text: t`We will email you.` },
      ]}
    />
  )
}

/** After the request: the first step is done. */
export function AnnouncedNextSteps({ id, account, at }: { id: string; account: string | null; at: Date | null }) {
  const { t } = useLingui()
  const time = usePortalSettings()?.depositMethods.find(({ type }) => type === 'wire')?.time
  return (
    <NextSteps
      entries={[
        { mark: 'approved', title: t`Request received`, ...(at ? { time: <Time at={at} /> } : {}) },
        {
          title: t`Your bank sends the money`,
          text: time
            ? t`You do this in your banking app. It takes ${withUnbrokenRanges(time)}.`
            : t`You do this in your banking app.`,
        },
        { title: t`We identify your payment`, text: t`On the working day we receive it.` },
        {
          title: account ? t`Credited to ${accountNumberText(account)}` : t`Credited to your account`,
          text: t`We will email you.`,
        },
      ]}
    >
      <p className="next-note">
        <Trans>
          You can see this deposit in <Link href={portalPaths.history('deposits', id)}>Transactions History</Link>. You
          can cancel it there until the money arrives.
        </Trans>
      </p>
    </NextSteps>
  )
}

/** How a payment goes on, by the deposit's status. */
const outcomes: Readonly<Record<string, 'credited' | 'uncredited' | 'returned'>> = {
  approved: 'credited',
  uncredited: 'uncredited',
  rejected: 'uncredited',
  refunding: 'returned',
  refunded: 'returned',
}

/** Until the platform has credited it, in ms. */
const creditPollMs = 3_000

/** After a payment: its progress until the credit. */
export function PaidNextSteps({ account, id }: { account: string; id: string }) {
  const { t } = useLingui()
  const [ended, setEnded] = useState<(typeof outcomes)[string] | null>(null)
  const { data } = useEndpoint(
    getTransferTimeline,
    { list: 'deposits', id },
    ended === null ? { pollMs: creditPollMs } : {},
  )
  const outcome = outcomes[data?.deposit?.status ?? ''] ?? null
  if (outcome !== null && ended === null) setEnded(outcome)
  const paid = { mark: 'approved' as const, title: t`You have paid` }
  return (
    <NextSteps
      entries={
        {
          credited: [
            paid,
            {
              mark: 'approved' as const,
              title: t`Credited to ${accountNumberText(account)}`,
              text: t`You can start trading.`,
            },
          ],
          uncredited: [
            paid,
            {
              mark: 'rejected' as const,
              title: t`We could not credit your account`,
              text: t`We have received the money. We will credit or return it and email you.`,
            },
          ],
          returned: [
            paid,
            {
              mark: 'returned' as const,
              title: t`The payment provider returns the payment`,
              text: t`It goes to the card or account that you paid with. We will email you.`,
            },
          ],
          open: [
            { ...paid, text: t`Our payment provider has received the money.` },
            {
              title: t`Credited to ${accountNumberText(account)}`,
              text: t`Usually within a minute. We will email you.`,
            },
          ],
        }[ended ?? 'open']
      }
    />
  )
}

/** The next steps of a payment on the provider's page. */
export function CardNextSteps({ account }: { account: OpenAccount }) {
  const { t } = useLingui()
  return (
    <NextSteps
      entries={[
        { title: t`You pay on the provider’s page`, text: t`Your bank may ask you to confirm it.` },
        { title: t`You return here`, text: t`We check the payment with the provider. Do not pay again.` },
        {
          title: t`Credited to ${accountNumberText(account.number)}`,
          text: t`Usually within a minute. We will email you.`,
        },
      ]}
    />
  )
}
