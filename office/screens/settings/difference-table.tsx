import { useLingui } from '@lingui/react/macro'
import { Table } from '#ui/data/table.tsx'

import type { Difference } from '#rules/settings-changes.ts'
import { useLeafText, usePathLabel } from './section-labels.ts'

/** A table of changes: field, before, after. */
export function DifferenceTable({ changes }: { changes: readonly Difference[] }) {
  const { t } = useLingui()
  const word = usePathLabel()
  const text = useLeafText()
  return (
    <div className="setting-differences">
      <Table
        caption={t`Changes`}
        rows={changes}
        rowKey={(change) => change.path}
        columns={[
          { head: t`Field`, cell: (change) => word(change.path) },
          { head: t`Before`, cell: (change) => <del>{text(change.before, change.path)}</del> },
          { head: t`After`, cell: (change) => <b className="strong">{text(change.after, change.path)}</b> },
        ]}
      />
    </div>
  )
}
