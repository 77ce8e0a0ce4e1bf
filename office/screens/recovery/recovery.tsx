import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { officePaths } from '#contract/office-paths.ts'
import { confirmAccess, confirmBank, getRecovery } from '#contract/office/recovery.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState, ErrorPanel } from '#ui/feedback/content-states.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Time } from '#ui/text/time.tsx'
import { useCanDo, useStaff } from '../../session.ts'
import { BankAccounts } from './bank-accounts.tsx'
import { RecoveredDeals } from './recovered-deals.tsx'
import { UnknownAccounts } from './unknown-accounts.tsx'

type Recovery = NonNullable<ResponseOf<typeof getRecovery>['recovery']>

/** Recovery: the lost data, what still blocks each channel, and the deals that two people decide. */
export default function RecoveryPage({ params }: { params: { id?: string } }) {
  const { t } = useLingui()
  const { data, error, refetch } = useEndpoint(getRecovery, {})
  return (
    <OfficePage>
      <PageHeader title={t`Recovery`}>
        <Trans>Events since the restored backup, read from platforms, card provider and bank.</Trans>
      </PageHeader>
      <div className="stack">
        {error && !data && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
        {data && !data.recovery && (
          <div className="sheet">
            <EmptyState level="h2" title={<Trans>No recovery is open</Trans>}>
              <Trans>Payments, credits and decisions work as usual.</Trans>
            </EmptyState>
          </div>
        )}
        {data?.recovery && (
          <>
            <Channels recovery={data.recovery} />
            <BankAccounts accounts={data.recovery.bankAccounts} />
            {data.recovery.unknownAccounts.length > 0 && <UnknownAccounts accounts={data.recovery.unknownAccounts} />}
            <Confirmations recovery={data.recovery} />
          </>
        )}
        <RecoveredDeals openId={params.id} />
      </div>
    </OfficePage>
  )
}

function Channels({ recovery }: { recovery: Recovery }) {
  const { t } = useLingui()
  const opened = (at: Date | null) =>
    at ? (
      <Trans>
        Open since <Time at={at} />
      </Trans>
    ) : (
      <Trans>Stopped</Trans>
    )
  return (
    <section className="sheet padded">
      <h2>{t`Channels`}</h2>
      <DescriptionList
        rows={[
          { key: <Trans>Data may be missing since</Trans>, value: <Time at={recovery.since} /> },
          { key: <Trans>Recovery began</Trans>, value: <Time at={recovery.openedAt} /> },
          { key: <Trans>Trading accounts and card payments</Trans>, value: opened(recovery.accountsOpenAt) },
          { key: <Trans>Payouts</Trans>, value: opened(recovery.payoutsOpenAt) },
          {
            key: <Trans>Last run of the recover command</Trans>,
            value: recovery.lastRunAt ? <Time at={recovery.lastRunAt} /> : <Trans>Not run yet</Trans>,
          },
          { key: <Trans>Findings awaiting a decision</Trans>, value: recovery.openItems },
          { key: <Trans>Requests awaiting the client’s confirmation</Trans>, value: recovery.unconfirmed },
        ]}
      />
    </section>
  )
}

function Confirmations({ recovery }: { recovery: Recovery }) {
  const { t } = useLingui()
  const { staff } = useStaff()
  const { accessCompliance, accessAdministrator, bankFirst, bankSecond, bankAccounts } = recovery
  const access = useConfirmation(confirmAccess)
  const bank = useConfirmation(confirmBank)
  const isOwn = (confirmation: Recovery['bankFirst']) => confirmation?.by.id === staff.id
  const mayAccess = useCanDo('confirmAccess') && !isOwn(accessCompliance) && !isOwn(accessAdministrator)
  const mayBank = useCanDo('confirmBank') && !isOwn(bankFirst)
  const isAdministrator = staff.roles.includes('administrator')
  const asksAccess = mayAccess && (isAdministrator ? !accessCompliance || !accessAdministrator : !accessCompliance)
  const covered = bankAccounts.every(({ complete }) => complete)
  const asksBank = mayBank && covered && !bankSecond
  return (
    <section className="sheet padded stack">
      <h2>{t`Confirmations`}</h2>
      <p>
        <Trans>
          Platforms and providers do not record suspensions, holds, flags, roles or settings. Check{' '}
          <Link href={officePaths.staff}>staff</Link>, <Link href={officePaths.clients}>clients</Link> and{' '}
          <Link href={officePaths.settings}>settings</Link>. Repeat any lost changes.
        </Trans>
      </p>
      <DescriptionList
        rows={[
          {
            key: <Trans>Access, confirmed by compliance</Trans>,
            value: <ConfirmedBy confirmation={accessCompliance} />,
          },
          {
            key: <Trans>Access, confirmed by an administrator</Trans>,
            value: <ConfirmedBy confirmation={accessAdministrator} />,
          },
          { key: <Trans>Bank, first person</Trans>, value: <ConfirmedBy confirmation={bankFirst} /> },
          { key: <Trans>Bank, second person</Trans>, value: <ConfirmedBy confirmation={bankSecond} /> },
        ]}
      />
      {!covered && <Alert kind="wait">{t`You can confirm the bank when statements cover every account.`}</Alert>}
      {asksBank && <p>{t`Confirm the bank only if it has no unposted payment order.`}</p>}
      <div className="row wrap">
        {asksAccess && (
          <Button pending={access.isPending} onClick={() => access.mutate({})}>{t`Confirm access`}</Button>
        )}
        {asksBank && (
          <Button kind="primary" pending={bank.isPending} onClick={() => bank.mutate({})}>
            <Trans>Confirm bank</Trans>
          </Button>
        )}
      </div>
    </section>
  )
}

function useConfirmation(endpoint: typeof confirmAccess | typeof confirmBank) {
  const { t } = useLingui()
  return useEndpointMutation(endpoint, {
    refreshes: [getRecovery],
    onDone: () => showToast(() => t`Your confirmation has been recorded.`),
    onFailure: (failure) => showToast(() => failure.error, { kind: 'bad' }),
  })
}

function ConfirmedBy({ confirmation }: { confirmation: Recovery['bankFirst'] }) {
  if (!confirmation) return <Trans>Pending</Trans>
  return (
    <>
      {confirmation.by.name}, <Time at={confirmation.at} />
    </>
  )
}
