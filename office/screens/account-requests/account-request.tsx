import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { approveAccount, getAccountRequest, rejectAccount } from '#contract/office/account-requests.ts'
import { officePaths } from '#contract/office-paths.ts'
import { call } from '#ui/api/call.ts'
import { groupedByFour, leverageText } from '#ui/text/code-format.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Money } from '#ui/money/money.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { ClientFacts, recordScreen, OperationNotice } from '../../decision/record-parts.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { useDecision, type Acknowledging, useAcknowledged, approval, rejection } from '../../decision/decision.tsx'
import { RecordPage } from '../../decision/record-page.tsx'

type Request = ResponseOf<typeof getAccountRequest>['request']
type Other = Request['otherAccounts'][number]

/** One account request: the account to be opened, and the client's other accounts. */
export default recordScreen(getAccountRequest, ({ request }) => <Page request={request} />)

function Page({ request }: { request: Request }) {
  const { t } = useLingui()
  const deciding = useDecision('account', officePaths.accountRequests)
  const acknowledging = useAcknowledged(request.decisionChecks)
  const decisions = useDecisions(request, acknowledging)
  const { client, platform, accType, currency, group } = request
  return (
    <RecordPage
      kind="account"
      record={request}
      section={<Trans>Account request</Trans>}
      title={`${platform} · ${accType} · ${currency}`}
      deciding={deciding}
      {...(request.state === 'pending' ? { acknowledging } : {})}
      decisions={decisions}
      sentence={
        group === null ? (
          <Trans>
            No platform group is set for this type of account. Ask an administrator to add one in the settings, under
            Platform groups.
          </Trans>
        ) : (
          <Trans>
            <b>Approve</b> to open the account on {platform} in group {group}. {client.name} gets an email and can view
            the first password after login.
          </Trans>
        )
      }
      lead={<OperationNotice operation={request.operation} state={request.state} />}
    >
      <div className="columns-2">
        <RecordSection title={<Trans>Request details</Trans>}>
          <DescriptionList
            rows={[
              { key: t`Account`, value: request.requestType === 'demo' ? t`Demo account` : t`Live account` },
              { key: t`Platform`, value: platform },
              { key: t`Account type`, value: accType },
              { key: t`Currency`, value: currency },
              { key: t`Leverage`, value: <span className="numbers">{leverageText(request.leverage)}</span> },
              { key: t`Group`, value: group ?? '–' },
              request.demoBalance !== null && {
                key: t`Demo balance`,
                value: <Money amount={{ minor: request.demoBalance, currency }} />,
              },
              request.number !== null && {
                key: t`Number`,
                value: <span className="numbers">{groupedByFour(request.number)}</span>,
              },
              { key: t`Source`, value: request.fromRegistration ? t`Registration, step 4` : t`Portal` },
            ]}
          />
        </RecordSection>
        <ClientFacts client={client} />
      </div>
      <RecordSection title={<Trans>Other accounts of this client</Trans>}>
        <OtherAccounts accounts={request.otherAccounts} />
      </RecordSection>
    </RecordPage>
  )
}

/** A client's accounts, with their balances on the platform. */
function OtherAccounts({ accounts }: { accounts: readonly Other[] }) {
  const { t } = useLingui()
  const columns: Column<Other>[] = [
    {
      head: t`Number`,
      phone: 'title',
      cell: ({ number, platform }) =>
        number ? (
          <Link className="numbers unbroken" href={officePaths.account(platform, number)}>
            {groupedByFour(number)}
          </Link>
        ) : (
          '–'
        ),
    },
    {
      head: t`Type`,
      phone: 'time',
      cell: ({ requestType, platform, accType, balance }) => (
        <>
          {`${platform} · ${accType}${requestType === 'demo' ? ` · ${t`demo`}` : ''}`}
          {balance.at && (
            <span className="read-on-phone muted">
              <Time at={balance.at} />
            </span>
          )}
        </>
      ),
    },
    {
      head: t`Leverage`,
      wideOnly: true,
      cell: ({ leverage }) => <span className="numbers">{leverageText(leverage)}</span>,
    },
    {
      head: t`Balance`,
      align: 'right',
      phone: 'figure',
      cell: ({ balance }) => (
        <Money amount={balance.amount === null ? null : { minor: balance.amount, currency: balance.currency }} />
      ),
    },
    { head: t`Balance as of`, cell: ({ balance }) => <Time at={balance.at} /> },
    { head: t`Status`, phone: 'status', cell: ({ state }) => <StatusBadge record="account" state={state} /> },
  ]
  if (accounts.length === 0) return <p className="muted">{t`None. This is the first account.`}</p>
  return (
    <div className="sheet">
      <Table caption={t`Other accounts`} columns={columns} rows={accounts} rowKey={({ id }) => id} />
    </div>
  )
}

function useDecisions(
  { id, version, client, platform, accType, currency, leverage }: Request,
  { names: acknowledged, of }: Acknowledging,
) {
  const { t } = useLingui()
  return [
    rejection('account', t`Reject the account request of ${client.name}`, (texts) =>
      call(rejectAccount, { id, version, ...texts }),
    ),
    approval({
      label: <Trans>Approve and open on {platform}</Trans>,
      title: t`Approve account request`,
      lines: [
        { label: t`Client`, value: client.name },
        { label: t`Account`, value: `${platform} · ${accType} · ${currency}` },
        { label: t`Leverage`, value: leverageText(leverage) },
      ],
      ...of,
      send: (note) => call(approveAccount, { id, version, note, acknowledged }),
    }),
  ]
}
