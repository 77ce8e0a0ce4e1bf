import { Trans, useLingui } from '@lingui/react/macro'
import { portalPaths } from '#contract/portal-paths.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Time } from '#ui/text/time.tsx'
import { accountNumberText } from '../../funding/accounts.ts'
import { NextSteps } from '../../funding/next-steps.tsx'

interface TransferNextStepsProps {
  destination: string
  /** The record of the request and its time; null before the request. */
  requested: { id: string; at: Date } | null
}

/** The next steps of a transfer; after the request the first one is done. */
export function TransferNextSteps({ destination, requested }: TransferNextStepsProps) {
  const { t } = useLingui()
  const first = requested
    ? { mark: 'approved' as const, title: t`Request received`, time: <Time at={requested.at} /> }
    : { title: t`You confirm`, text: t`The amount is set aside in the source account.` }
  return (
    <NextSteps
      entries={[
        first,
        { title: t`We approve the transfer`, text: t`Usually on the same working day.` },
        { title: t`Credited to ${accountNumberText(destination)}`, text: t`We will email you.` },
      ]}
    >
      {requested && (
        <p className="next-note">
          <Trans>
            You can see this transfer in{' '}
            <Link href={portalPaths.history('transfers', requested.id)}>Transactions History</Link>. You can cancel it
            there until we approve it.
          </Trans>
        </p>
      )}
    </NextSteps>
  )
}
