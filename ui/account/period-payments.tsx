import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { historyLists } from '#contract/history.ts'
import type { CurveMark, getAccountCurve } from '#contract/trading-history.ts'
import { money } from '#rules/money.ts'
import { Money } from '#ui/money/money.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { calendarDayText } from '#ui/text/time.tsx'
import type { AccountSource } from './account-source.ts'

const listedMax = 6

interface PeriodPaymentsProps {
  curve: ResponseOf<typeof getAccountCurve>
  source: AccountSource
}

/** The newest deposits, withdrawals and transfers of the period; each opens its record, the rest is in the lists. */
export function PeriodPayments({ curve: { marks, marksLeftOff, currency }, source }: PeriodPaymentsProps) {
  const { t, i18n } = useLingui()
  const wordOf = ({ list, returned, type }: CurveMark) => {
    if (returned) return t`returned payment`
    if (list !== 'deposits') return list === 'transfers' ? t`transfer` : t`withdrawal`
    if (type === 'wire') return t`deposit by bank transfer`
    return type === 'cc_gcen' ? t`deposit by card` : t`online deposit`
  }
  return (
    <>
      <ul className="account-moved">
        {marks.slice(0, listedMax).map((mark) => (
          <li key={`${mark.id} ${mark.at.getTime()} ${mark.amount}`}>
            <span className={mark.amount < 0n ? 'chart-marker out' : 'chart-marker in'} aria-hidden="true" />
            <b>
              <Money amount={money(mark.amount, currency)} signed bare />
            </b>{' '}
            <Link href={source.markPath(mark)}>
              {calendarDayText(mark.day, i18n.locale)}, {wordOf(mark)}
            </Link>
          </li>
        ))}
      </ul>
      {marks.length > listedMax && (
        <p className="muted size-13 account-note">
          {marksLeftOff
            ? t`The latest ${listedMax} payments are listed, and the latest ${marks.length} are marked in the chart.`
            : t`The latest ${listedMax} of ${marks.length} payments are listed.`}{' '}
          <PaymentListLinks source={source} />
        </p>
      )}
    </>
  )
}

function PaymentListLinks({ source }: { source: AccountSource }) {
  const { t } = useLingui()
  const words = { deposits: t`deposits`, withdrawals: t`withdrawals`, transfers: t`internal transfers` }
  return (
    <>
      {t`See all:`}{' '}
      {historyLists.map((list, index) => (
        <span key={list}>
          {index > 0 && ' · '}
          <Link href={source.listPath(list)}>{words[list]}</Link>
        </span>
      ))}
    </>
  )
}
