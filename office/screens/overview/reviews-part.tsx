import { Trans, useLingui } from '@lingui/react/macro'
import { overviewDays, type Overview } from '#contract/office/overview.ts'
import { reviewLabels } from '#contract/office/review-labels.ts'
import { officePaths } from '#contract/office-paths.ts'
import { type Review, reviews as allReviews } from '#rules/reviews.ts'
import { Table } from '#ui/data/table.tsx'
import { Skeleton } from '#ui/feedback/content-states.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { Link } from '#ui/navigation/link.tsx'
import { clockTime } from '#ui/text/time.tsx'
import { useStaff } from '../../session.ts'

/** How many clients are under each review, now and 30 days ago; the number of now opens the list of these clients. */
export function ReviewsPart({ reviews }: { reviews: Overview['reviews'] | undefined }) {
  const { t } = useLingui()
  const { firm } = useStaff()
  const label = useLabels(reviewLabels)
  const list = (review: Review) => `${officePaths.clients}?review=${review}`
  const rowOf = (review: Review) => reviews?.rows.find((one) => one.review === review)
  return (
    <section>
      <div className="figures-head">
        <h2>{t`Reviews`}</h2>
      </div>
      <Table
        caption={t`Reviews`}
        rows={allReviews}
        rowKey={(review) => review}
        columns={[
          { head: t`Clients`, cell: (review) => <Link href={list(review)}>{label(review)}</Link> },
          {
            head: t`Now`,
            align: 'right',
            cell: (review) => {
              if (!reviews) return <Skeleton width={20} />
              const clients = rowOf(review)?.clients ?? null
              // Nothing to open before it was first counted.
              if (clients === null) return '–'
              return (
                <b className="strong">
                  <Link href={list(review)}>{clients}</Link>
                </b>
              )
            },
          },
          {
            head: t`${overviewDays} days ago`,
            align: 'right',
            cell: (review) =>
              reviews ? <span className="muted">{rowOf(review)?.clientsBefore ?? '–'}</span> : <Skeleton width={20} />,
          },
        ]}
      />
      {reviews?.readAt && (
        <p className="overview-note">
          <Trans>as of {clockTime(reviews.readAt, firm.timeZone)}</Trans>
        </p>
      )}
    </section>
  )
}
