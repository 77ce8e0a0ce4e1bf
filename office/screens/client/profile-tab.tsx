import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { isActionAllowed, type OfficeClient } from '#contract/office/clients.ts'
import { Table } from '#ui/data/table.tsx'
import { FormerValue } from './changed.tsx'
import { CorrectFieldDialog } from './correct-field-dialog.tsx'
import { EmailChange } from './email-change.tsx'
import { useFieldLabel, useValueText } from './field-labels.ts'

/** All fields with former values and pending changes, and the action to correct one. */
export function ProfileTab({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const word = useFieldLabel()
  const text = useValueText()
  const [field, setField] = useState<string | null>(null)
  const corrects = isActionAllowed(client, 'correctField')
  return (
    <section className="sheet">
      <Table
        caption={t`Profile`}
        rows={client.profile}
        rowKey={(row) => row.field}
        columns={[
          { head: t`Field`, phone: 'title', cell: (row) => word(row.field) },
          {
            head: t`Value`,
            phone: 'time',
            cell: (row) => (
              <span className="strong">
                {text(row.field, row.value)}
                <FormerValue field={row} />
              </span>
            ),
          },
          {
            head: t({ message: 'Correction', context: 'of a field' }),
            align: 'right',
            phone: 'figure',
            cell: (row) =>
              row.field === 'email' ? (
                <EmailChange client={client} />
              ) : corrects && row.correctable ? (
                <button type="button" className="text-button" onClick={() => setField(row.field)}>
                  <Trans>Correct…</Trans>
                  <span className="unseen"> {word(row.field)}</span>
                </button>
              ) : null,
          },
        ]}
      />
      {field && <CorrectFieldDialog client={client} field={field} onClose={() => setField(null)} />}
    </section>
  )
}
