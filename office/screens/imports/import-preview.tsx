import { Plural, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { previewStatement, StatementColumns } from '#contract/office/statements.ts'
import type { Currency } from '#rules/money.ts'
import { FieldGroup } from '#ui/forms/field.tsx'
import { Money } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { Select } from '#ui/forms/select.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { calendarDayText } from '#ui/text/time.tsx'
import { Codes } from '#ui/text/codes.tsx'

type Preview = ResponseOf<typeof previewStatement>
type Line = Preview['lines'][number]

interface ImportPreviewProps {
  filename: string
  preview: Preview
  onColumns: (change: StatementColumns) => void
}

/** The preview of an import: the assignment of columns, the first transactions, and what prevents the import. */
export function ImportPreview({ filename, preview, onColumns }: ImportPreviewProps) {
  return (
    <div className="stack">
      {preview.problem !== null && <Alert kind="bad">{preview.problem}</Alert>}
      <Columns preview={preview} onColumns={onColumns} />
      {preview.account && preview.count > 0 && (
        <section className="stack-2" aria-live="polite">
          <p className="strong">
            {filename}
            {': '}
            <Plural value={preview.count} one="# transaction" other="# transactions" />
            {preview.known > 0 && (
              <>
                {', '}
                <Plural value={preview.known} one="# already imported" other="# already imported" />
              </>
            )}
          </p>
          <FirstLines lines={preview.lines} currency={preview.account.currency} />
        </section>
      )}
    </div>
  )
}

function Columns({ preview: { header, columns }, onColumns }: Omit<ImportPreviewProps, 'filename'>) {
  const { t } = useLingui()
  const names = {
    bookedOn: t`Booking date`,
    amount: t`Amount`,
    payer: t`Payer`,
    remittance: t`Payment reference`,
    payerAccount: t`Payer’s account`,
    payerReference: t`Payer’s end-to-end reference`,
    currency: t`Currency`,
    bankId: t`Bank transaction ID`,
  }
  const options = [
    { value: '', label: t`Not in the file` },
    ...header.map((name, place) => ({ value: String(place), label: name === '' ? String(place + 1) : name })),
  ]
  return (
    <FieldGroup label={t`Columns of the file`}>
      {() => (
        <div className="columns-2">
          {(Object.keys(names) as (keyof typeof names)[]).map((name) => (
            <Select
              key={name}
              label={names[name]}
              value={columns[name] === null ? '' : String(columns[name])}
              options={options}
              onChange={({ target: { value } }) => onColumns({ [name]: value === '' ? null : Number(value) })}
            />
          ))}
        </div>
      )}
    </FieldGroup>
  )
}

function FirstLines({ lines, currency }: { lines: readonly Line[]; currency: Currency }) {
  const { t, i18n } = useLingui()
  const columns: Column<Line & { place: number }>[] = [
    { head: t`Booking date`, phone: 'time', cell: ({ bookedOn }) => calendarDayText(bookedOn, i18n.locale) },
    {
      head: t`Payer`,
      phone: 'title',
      cell: ({ payer, remittance }) => (
        <>
          {payer}{' '}
          <span className="muted">
            <Codes>{remittance}</Codes>
          </span>
        </>
      ),
    },
    {
      head: t`Amount`,
      align: 'right',
      phone: 'figure',
      cell: ({ amount }) => <Money amount={{ minor: amount, currency }} />,
    },
  ]
  return (
    <Table
      caption={t`First lines of the file`}
      columns={columns}
      rows={lines.map((line, place) => ({ ...line, place }))}
      rowKey={({ place }) => String(place)}
    />
  )
}

/** Explains the accepted formats. */
export function FormatHelp() {
  const { t } = useLingui()
  return (
    <details className="import-help">
      <summary>{t`File format`}</summary>
      <ul className="stack-2 size-13">
        <li>{t`CSV with a header line. Columns may be separated by semicolons, commas or tabs.`}</li>
        <li>{t`Required columns: booking date, amount, payer and payment reference.`}</li>
        <li>{t`Dates: 2026-11-21, 21.11.2026 or 21/11/2026. Two-digit years are read if their order is clear.`}</li>
        <li>{t`Amounts: 1234.56, 1234,56, 1,234.56 or 1.234,56. Outgoing payments have a minus sign.`}</li>
        <li>{t`Your account is recognised by the IBAN above the header or in a column.`}</li>
      </ul>
    </details>
  )
}
