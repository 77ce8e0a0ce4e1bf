import { Trans, useLingui } from '@lingui/react/macro'
import { clientMoneyCsv, getClientMoneyView, listDifferences } from '#contract/office/accounting.ts'
import { officePaths } from '#contract/office-paths.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, SentenceSkeleton, Skeleton } from '#ui/feedback/content-states.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { calendarDayText, Time } from '#ui/text/time.tsx'
import { CsvButton } from '../../records/csv-button.tsx'
import { useCanDo, useCanRead } from '../../session.ts'
import { DifferenceList } from '../../records/difference-list.tsx'
import { FirmMoney } from './firm-money.tsx'
import { CurrencyCard, type CurrencyColumn } from './currency-card.tsx'
import './client-money.css'

/** Client money requirement against resource, by currency, with the difference and whether it is explained. */
export default function ClientMoney({ params }: { params: { id?: string } }) {
  const { t, i18n } = useLingui()
  const { data, error, refetch } = useEndpoint(getClientMoneyView, {})
  const imports = useCanDo('importStatement')
  return (
    <OfficePage>
      <PageHeader
        title={t`Client money`}
        action={
          <div className="row wrap">
            {imports && <ButtonLink href={officePaths.imports}>{t`Import statement`}</ButtonLink>}
            <CsvButton path={clientMoneyCsv.path} name="client-money.csv" />
          </div>
        }
      >
        {data ? (
          <>
            <Time at={data.at} />
            {data.statementsTo && (
              <>
                {' · '}
                <Trans>bank statements imported to {calendarDayText(data.statementsTo, i18n.locale)}</Trans>
              </>
            )}
          </>
        ) : (
          !error && <SentenceSkeleton />
        )}
      </PageHeader>
      {error && !data && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      <div className="client-money">
        {data?.currencies.filter(isUsed).map((column) => (
          <CurrencyCard key={column.currency} column={column} />
        ))}
      </div>
      {!data && !error && <LoadingCards />}
      {(data ?? error) && (
        <>
          <FirmMoney openId={params.id} />
          <OpenDifferences />
        </>
      )}
    </OfficePage>
  )
}

/** Placeholder of the currencies while they load. */
function LoadingCards() {
  return (
    <div className="client-money on-page" aria-busy="true">
      <Skeleton width="100%" height={320} />
      <Skeleton width="100%" height={320} />
    </div>
  )
}

/** Returns whether a currency has any balance or open discrepancy. */
function isUsed({ places, own, openDifferences }: CurrencyColumn): boolean {
  const figures = [...places.flatMap(({ owed, held }) => [owed, held]), ...own.map(({ amount }) => amount)]
  return openDifferences > 0 || figures.some((minor) => (minor ?? 0n) !== 0n)
}

function OpenDifferences() {
  const { t } = useLingui()
  const reads = useCanRead('reconciliation')
  const { data } = useEndpoint(listDifferences, { state: 'open', size: 20 }, { enabled: reads })
  if (!data || data.rows.length === 0) return null
  return (
    <section className="client-money-differences">
      <div className="row between">
        <h2>{t`Discrepancies`}</h2>
        <Link className="lone-link" href={officePaths.reconciliation}>{t`Reconciliation`}</Link>
      </div>
      <DifferenceList rows={data.rows} />
    </section>
  )
}
