import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { approveLeverage, getLeverageRequest, rejectLeverage } from '#contract/office/leverage-requests.ts'
import { officePaths } from '#contract/office-paths.ts'
import { call } from '#ui/api/call.ts'
import { groupedByFour, leverageText } from '#ui/text/code-format.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Money } from '#ui/money/money.tsx'
import { ClientFacts, recordScreen, OperationNotice, ReadAt } from '../../decision/record-parts.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { useDecision, type Acknowledging, useAcknowledged, approval, rejection } from '../../decision/decision.tsx'
import { RecordPage } from '../../decision/record-page.tsx'

type Request = ResponseOf<typeof getLeverageRequest>['request']

/** One leverage request: current and requested leverage in one row, with current margin and positions. */
export default recordScreen(getLeverageRequest, ({ request }) => <Page request={request} />)

function Page({ request }: { request: Request }) {
  const { t } = useLingui()
  const deciding = useDecision('leverage_request', officePaths.leverage)
  const acknowledging = useAcknowledged(request.decisionChecks)
  const decisions = useDecisions(request, acknowledging)
  const { client, platform, from, to } = request
  const number = groupedByFour(request.accountNumber)
  const figure = ({ amount, currency }: Request['balance']) => (
    <Money amount={amount === null ? null : { minor: amount, currency }} />
  )
  return (
    <RecordPage
      kind="leverage_request"
      record={request}
      section={<Trans>Leverage request</Trans>}
      title={`${number}: ${leverageText(from)} → ${leverageText(to)}`}
      heading={
        <h1 className="change-row numbers">
          {number} <del>{leverageText(from)}</del> <span>→</span> {leverageText(to)}
        </h1>
      }
      deciding={deciding}
      {...(request.state === 'pending' ? { acknowledging } : {})}
      decisions={decisions}
      sentence={
        <Trans>
          <b>Approve</b> to set {leverageText(to)} on {platform} immediately. {client.name} will be notified. Margin
          requirements of open positions change.
        </Trans>
      }
      lead={<OperationNotice operation={request.operation} state={request.state} />}
    >
      <div className="columns-2">
        <RecordSection title={<Trans>Current account settings</Trans>}>
          <DescriptionList
            rows={[
              { key: t`Account`, value: <span className="numbers">{number}</span> },
              { key: t`Platform`, value: platform },
              {
                key: t`Account category`,
                value: request.accountClientStatus === 'professional' ? t`Professional Client` : t`Retail Client`,
              },
              {
                key: t`Allowed`,
                value: <span className="numbers">{request.allowed.map(leverageText).join(', ')}</span>,
              },
              { key: t`Balance`, value: figure(request.balance) },
              { key: t`Equity`, value: figure(request.equity) },
              { key: t`Margin used`, value: figure(request.margin) },
              { key: t`Free margin`, value: figure(request.freeMargin) },
              { key: t`Open positions`, value: request.openPositions ?? '–' },
            ]}
          />
          <ReadAt at={request.balance.at} />
        </RecordSection>
        <ClientFacts client={client} />
      </div>
    </RecordPage>
  )
}

function useDecisions(
  { id, version, client, accountNumber, from, to }: Request,
  { names: acknowledged, of }: Acknowledging,
) {
  const { t } = useLingui()
  return [
    rejection('leverage_request', t`Reject the leverage request of ${client.name}`, (texts) =>
      call(rejectLeverage, { id, version, ...texts }),
    ),
    approval({
      label: <Trans>Approve {leverageText(to)}</Trans>,
      title: t`Approve leverage request`,
      lines: [
        { label: t`Client`, value: client.name },
        { label: t`Account`, value: groupedByFour(accountNumber) },
        { label: t`Leverage`, value: `${leverageText(from)} → ${leverageText(to)}` },
      ],
      ...of,
      send: (note) => call(approveLeverage, { id, version, note, acknowledged }),
    }),
  ]
}
