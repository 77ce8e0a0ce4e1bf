import { Trans } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { officePaths, pathOfWorkItem } from '#contract/office-paths.ts'
import type { getRecoveryItem } from '#contract/office/recovery.ts'
import { workItemKinds } from '#rules/work-items.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Money } from '#ui/money/money.tsx'
import { Time } from '#ui/text/time.tsx'
import { useRecordLabel } from '../../records/work-item-labels.ts'
import { platformName, useDealLabels } from './deal-labels.ts'

type Item = ResponseOf<typeof getRecoveryItem>['item']

/** The facts of a finding. */
export function FindingFacts({ item }: { item: Item }) {
  const word = useDealLabels()
  const record = useRecordLabel()
  const { client, amount, currency } = item
  const subject = workItemKinds.find((kind) => kind === item.subject)
  const isPayment = item.kind === 'checkout-lost'
  const isAccount = item.kind === 'account-found'
  const isDeal = !isPayment && !isAccount && item.kind !== 'line-missing'
  return (
    <DescriptionList
      rows={[
        { key: <Trans>Status</Trans>, value: word.state(item.state) },
        { key: <Trans>Finding</Trans>, value: word.kind(item.kind) },
        client && {
          key: <Trans>Client</Trans>,
          value: <Link href={officePaths.client(client.id)}>{client.name}</Link>,
        },
        item.accountNumber !== '' && {
          key: <Trans>Account</Trans>,
          value: `${platformName(item.platform)} ${groupedByFour(item.accountNumber)}`.trim(),
        },
        {
          key: isAccount ? <Trans>Balance</Trans> : <Trans>Amount</Trans>,
          value: <Money amount={{ minor: amount, currency }} signed={!isAccount} />,
        },
        { key: word.moment(item.kind), value: <Time at={item.dealAt} /> },
        item.reference !== '' && {
          key: <Trans>Reference</Trans>,
          value: <span className="numbers unbroken">{item.reference}</span>,
        },
        (isPayment || isDeal) && {
          key: isPayment ? <Trans>Provider ID</Trans> : <Trans>Deal ticket</Trans>,
          value: <span className="numbers">{item.ticket}</span>,
        },
        item.comment !== '' && {
          key: isPayment ? <Trans>Merchant reference</Trans> : <Trans>Comment</Trans>,
          value: <span className="numbers">{item.comment}</span>,
        },
        subject !== undefined &&
          item.record !== null && {
            key: <Trans>Belongs to</Trans>,
            value: <Link href={pathOfWorkItem(subject, item.record)}>{record(subject)}</Link>,
          },
        item.operation && {
          key: <Trans>Recorded operation</Trans>,
          value: (
            <>
              <Money amount={{ minor: item.operation.amount, currency: item.operation.currency }} signed />,{' '}
              {platformName(item.operation.platform)} {groupedByFour(item.operation.accountNumber)}
            </>
          ),
        },
        item.leg !== '' && { key: <Trans>Part of</Trans>, value: word.leg(item.leg) },
        item.proposedBy && {
          key: <Trans>Proposed by</Trans>,
          value: (
            <>
              {item.proposedBy.name}, {item.reason}
            </>
          ),
        },
        item.action && { key: <Trans>Decision</Trans>, value: word.action(item.action, item.kind) },
        item.decidedBy && { key: <Trans>Confirmed by</Trans>, value: item.decidedBy.name },
      ]}
    />
  )
}
