import { IconAlertTriangleFilled, IconCheck, IconDownload } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { clientMoneyCsv, getClientMoneyView, listDifferences } from '#contract/office/books.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { useEndpoint } from '#ui/endpoint-query.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { Link } from '#ui/link.tsx'
import { Money } from '#ui/money.tsx'
import { OfficePage } from '#ui/office-page.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useCsv } from '../../records/save-csv.ts'
import { useMayRead, useStaff } from '../../session.ts'
import { DifferenceList } from '../../records/difference-list.tsx'
import './client-money.css'

type View = AnswerOf<typeof getClientMoneyView>
type Column = View['currencies'][number]

/** Owed to clients against held by the firm, by currency; the difference is the total line. */
export default function ClientMoney() {
  const { t, i18n } = useLingui()
  const { firm } = useStaff()
  const csv = useCsv(clientMoneyCsv.path, 'client-money.csv')
  const { data, error, refetch } = useEndpoint(getClientMoneyView, {})
  const imports = useMayRead('deposits')
  return (
    <OfficePage>
      <PageHeader
        title={t`Client money`}
        action={
          <div className="row wrap">
            {imports && (
              <ButtonLink href={officePaths.imports}>
                <Trans>Import statement</Trans>
              </ButtonLink>
            )}
            <Button
              icon={<IconDownload className="small" aria-hidden="true" />}
              pending={csv.isPending}
              onClick={csv.save}
            >
              CSV
            </Button>
          </div>
        }
      >
        {data && (
          <>
            <Time at={data.at} form="history" timeZone={firm.timeZone} />
            {data.statementsTo && (
              <>
                {' · '}
                <Trans>statements imported to {dayText(data.statementsTo, i18n.locale)}</Trans>
              </>
            )}
          </>
        )}
      </PageHeader>
      {error && !data && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      <div className="client-money">
        {data?.currencies.filter(isUsed).map((column) => (
          <CurrencySheet key={column.currency} column={column} />
        ))}
      </div>
      <OpenDifferences />
    </OfficePage>
  )
}

/** A currency in which nothing is owed or held is left out. */
function isUsed(column: Column): boolean {
  return column.places.some(({ owed, held }) => (owed ?? 0n) !== 0n || (held ?? 0n) !== 0n)
}

function dayText(day: string, locale: string): string {
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(new Date(day))
}

const ownCodes: readonly string[] = ['fees', 'exchange', 'trading-result', 'corrections']

function CurrencySheet({ column }: { column: Column }) {
  const { t } = useLingui()
  const word = usePlaceWord()
  const { currency, owed, held, difference } = column
  const agrees = difference === 0n
  const places = column.places.filter(
    ({ code, owed: one, held: other }) => !ownCodes.includes(code) && (other !== null || (one ?? 0n) !== 0n),
  )
  const own = column.places.filter(({ code, held: part }) => ownCodes.includes(code) && (part ?? 0n) !== 0n)
  const figure = (minor: bigint | null) => (minor === null ? null : <Money amount={{ minor, currency }} bare />)
  return (
    <section className="sheet">
      <header>
        <h2>{currency}</h2>
        {agrees ? (
          <span className="tone-ok strong">
            <IconCheck className="small" aria-hidden="true" /> <Trans>agrees</Trans>
          </span>
        ) : (
          <span className="tone-bad strong">
            <IconAlertTriangleFilled className="small" aria-hidden="true" /> <Trans>does not agree</Trans>
          </span>
        )}
      </header>
      <Table
        caption={t`Client money in ${currency}`}
        rows={places}
        rowKey={(place) => `${place.code} ${place.name}`}
        foot={[t`Total`, figure(owed), figure(held)]}
        columns={[
          { key: 'where', head: t`Where`, cell: (place) => word(place) },
          { key: 'owed', head: t`Owed to clients`, align: 'right', cell: (place) => figure(place.owed) },
          { key: 'held', head: t`Held by the firm`, align: 'right', cell: (place) => figure(place.held) },
        ]}
      />
      <p className={agrees ? 'client-money-difference' : 'client-money-difference tone-bad strong'}>
        <span>
          <Trans>Difference</Trans>
        </span>
        <Money amount={{ minor: difference, currency }} />
      </p>
      {own.length > 0 && (
        <div className="client-money-own">
          <p>
            <Trans>Of the difference, booked as the firm's own:</Trans>
          </p>
          {own.map((place) => (
            <div key={place.code}>
              <span>{word(place)}</span>
              {figure(place.held)}
            </div>
          ))}
        </div>
      )}
    </section>
  )
}

function usePlaceWord(): (place: Column['places'][number]) => string {
  const { t, i18n } = useLingui()
  return ({ code, name, count }) => {
    const ending = name.slice(-4)
    const words: Readonly<Record<typeof code, string>> = {
      'trading-accounts': t`Trading accounts`,
      'set-aside': t`Set aside for withdrawals and transfers`,
      'arrived-unmatched': t`Arrived, not matched`,
      'payout-in-transit': t`Payouts under way`,
      'transfer-in-transit': t`Transfers under way`,
      bank: ending === '' ? t`Bank, account not named` : t`Client money account ending ${ending}`,
      provider: t`Card provider, not settled`,
      fees: t`Fees`,
      exchange: t`Exchange`,
      'trading-result': t`Trading result`,
      corrections: t`Corrections`,
    }
    return count === null ? words[code] : `${words[code]}, ${count.toLocaleString(i18n.locale)}`
  }
}

function OpenDifferences() {
  const reads = useMayRead('reconciliation')
  const { data } = useEndpoint(listDifferences, { state: 'open', size: 20 }, { enabled: reads })
  if (!data || data.rows.length === 0) return null
  return (
    <section className="client-money-differences">
      <div className="row between">
        <h2>
          <Trans>Differences</Trans>
        </h2>
        <Link href={officePaths.reconciliation}>
          <Trans>Reconciliation</Trans>
        </Link>
      </div>
      <DifferenceList rows={data.rows} />
    </section>
  )
}
