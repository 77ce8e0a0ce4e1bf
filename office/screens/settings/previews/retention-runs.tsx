import { Trans } from '@lingui/react/macro'
import { listRetentionRuns } from '#contract/office/retention.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Time } from '#ui/text/time.tsx'
import { usePurgedText } from '../../../records/purge-labels.ts'

/** Shows what the daily job forgot and when. */
export function RetentionRuns() {
  const text = usePurgedText()
  const { data, error, refetch } = useEndpoint(listRetentionRuns, {})
  return (
    <section>
      <h2>
        <Trans>Deleted data</Trans>
      </h2>
      {error && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {data?.runs.length === 0 && (
        <p className="muted">
          <Trans>No deletions yet. Expired data is checked daily.</Trans>
        </p>
      )}
      <DescriptionList
        rows={(data?.runs ?? []).map(({ at, counts }) => ({
          key: <Time at={at} form="day" />,
          value: text(counts) || <Trans>No data was due for deletion.</Trans>,
        }))}
      />
    </section>
  )
}
