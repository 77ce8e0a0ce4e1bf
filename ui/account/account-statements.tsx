import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { StatementRow } from '#contract/statements.ts'
import { type Currency, money } from '#rules/money.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { useFileDownload } from '#ui/api/use-saving.ts'
import { Money } from '#ui/money/money.tsx'
import { longDay, monthName } from '#ui/text/days.ts'
import { Time } from '#ui/text/time.tsx'
import type { AccountSource } from './account-source.ts'
import { SectionError } from './section-error.tsx'

/** The statements of an account: by month with their editions, and by year (requirements 24.34). */
export function AccountStatements({ source }: { source: AccountSource }) {
  const { t, i18n } = useLingui()
  const { calls, address, reader } = source
  const { data, error, refetch } = useEndpoint(calls.statements, { ...address })
  const locale = i18n.locale
  if (data && data.running === null && data.statements.length === 0) return null
  return (
    <section className="account-part">
      <h2>{t`Statements`}</h2>
      {error && !data && (
        <SectionError
          failure={error}
          onRetry={() => void refetch()}
          reader={reader}
          title={reader === 'client' ? t`We could not load your statements.` : t`Statements could not be loaded.`}
        />
      )}
      {data && (
        <ul className="account-statements" aria-label={t`Statements`}>
          {data.running && (
            <li>
              <b className="strong">{monthName(data.running.month, locale)}</b>
              <span className="muted">{t`up to ${longDay(data.running.until, locale)}`}</span>
              <Money amount={money(data.running.balance, data.currency)} />
            </li>
          )}
          {data.statements.map((row) => (
            <MonthStatements key={row.month} row={row} source={source} currency={data.currency} />
          ))}
          {data.years.map((year) => (
            <li key={year}>
              <b className="strong">{t`Year ${year}`}</b>
              <span className="muted">{t`monthly totals`}</span>
              <span />
              <StatementFiles source={source} calls={[calls.yearPdf, calls.yearCsv]} place={{ year }} name={year} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function MonthStatements({ row, source, currency }: { row: StatementRow; source: AccountSource; currency: Currency }) {
  const { t, i18n } = useLingui()
  const { calls } = source
  const month = monthName(row.month, i18n.locale)
  const [newest, ...earlier] = row.editions
  const states: Readonly<Record<StatementRow['state'], ReactNode>> = {
    due: (
      <Trans>
        available from <Time at={row.dueAt} />
      </Trans>
    ),
    checking: t`being checked`,
    drawn: t`closing balance`,
    correcting: t`closing balance, a correction is being checked`,
  }
  const files = (edition: number, name: string) => (
    <StatementFiles
      source={source}
      calls={[calls.statementPdf, calls.statementCsv]}
      place={{ month: row.month, edition: String(edition) }}
      name={name}
    />
  )
  return (
    <>
      <li>
        <b className="strong">{month}</b>
        <span className="muted">
          {states[row.state]}
          {earlier.length > 0 && newest && <> · {t`edition ${newest.edition}`}</>}
        </span>
        {row.closingBalance === null ? <span /> : <Money amount={money(row.closingBalance, currency)} />}
        {newest && files(newest.edition, month)}
      </li>
      {earlier.map(({ edition, drawnAt }) => (
        <li key={edition}>
          <span />
          <span className="muted">
            <Trans>
              edition {edition} of <Time at={drawnAt} />
            </Trans>
          </span>
          <span />
          {files(edition, t`${month}, edition ${edition}`)}
        </li>
      ))}
    </>
  )
}

interface FilesProps {
  source: AccountSource
  calls: readonly [pdf: { readonly path: string }, csv: { readonly path: string }]
  /** Path parameters besides the account's. */
  place: Readonly<Record<string, string>>
  name: string
}

function StatementFiles({ source: { address }, calls: [pdf, csv], place, name }: FilesProps) {
  const { t } = useLingui()
  const saving = useFileDownload()
  const filled = ({ path }: { readonly path: string }) =>
    Object.entries({ ...address, ...place }).reduce((text, [key, value]) => text.replace(`:${key}`, value), path)
  const file = `statement-${address.number}-${Object.values(place).join('-')}`
  const button = (call: { readonly path: string }, kind: 'PDF' | 'CSV') => (
    <button
      type="button"
      className="text-button"
      aria-label={kind === 'PDF' ? t`Statement ${name}, PDF` : t`Statement ${name}, CSV`}
      onClick={() => saving.save(filled(call), `${file}.${kind.toLowerCase()}`)}
    >
      {kind}
    </button>
  )
  return (
    <span className="account-files">
      {button(pdf, 'PDF')}
      {button(csv, 'CSV')}
    </span>
  )
}
