import { Trans } from '@lingui/react/macro'
import { getOfficeWithdrawal } from '#contract/office/withdrawals.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { Recipient } from '../../decision/recipient.tsx'
import { RecordSection } from '../../decision/record-parts.tsx'

/** The receiving bank account, read from the record with its permissions: it is not in the item's facts. */
export function RecipientPreview({ record }: { record: string }) {
  const { data, error, refetch } = useEndpoint(getOfficeWithdrawal, { id: record })
  if (data) return <Recipient withdrawal={data.withdrawal} />
  return (
    <RecordSection title={<Trans>Recipient</Trans>}>
      {error ? (
        <ErrorPanel failure={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy="true">
          <Skeleton width="100%" height={132} />
        </div>
      )}
    </RecordSection>
  )
}
