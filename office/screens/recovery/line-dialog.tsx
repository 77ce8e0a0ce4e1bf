import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getRecovery, getRecoveryItem, listRecoveryItems, proposeRecoveryItem } from '#contract/office/recovery.ts'
import { moneyText } from '#ui/money/money.tsx'
import { Select } from '#ui/forms/select.tsx'
import { calendarDayText } from '#ui/text/time.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'

type Item = ResponseOf<typeof getRecoveryItem>['item']

interface Props {
  item: Item
  onClose: () => void
}

/** The choice of the bank transaction that paid a wire which recovery adopted before its statement was imported. */
export function ProposeLineDialog({ item: { id, version, amount, currency, lines }, onClose }: Props) {
  const { t, i18n } = useLingui()
  const [lineId, setLine] = useState<string>()
  return (
    <ActionDialog
      refreshes={[listRecoveryItems, getRecoveryItem, getRecovery]}
      onClose={onClose}
      endpoint={proposeRecoveryItem}
      fields={lines.length > 0 ? ['lineId'] : []}
      input={(reason) => ({ id, version, action: 'adopt' as const, ...(lineId ? { lineId } : {}), reason })}
      done={t`The proposal has been recorded. Another finance supervisor must confirm it.`}
      title={<Trans>Propose a decision on {moneyText({ minor: amount, currency }, i18n.locale)}</Trans>}
      command={<Trans>Propose decision</Trans>}
    >
      {(errors) =>
        lines.length === 0 ? (
          <p className="muted">
            {t`There is no matching unmatched bank transaction. Import the bank statement with the payment first.`}
          </p>
        ) : (
          <LineSelect item={{ lines, currency }} lineId={lineId} error={errors['lineId']} onLine={setLine} />
        )
      }
    </ActionDialog>
  )
}

interface LineSelectProps {
  item: Pick<Item, 'lines' | 'currency'>
  lineId: string | undefined
  error: string | undefined
  onLine: (id: string | undefined) => void
}

/** The choice among the bank transactions that may be the payment. */
export function LineSelect({ item: { lines, currency }, lineId, error, onLine }: LineSelectProps) {
  const { t, i18n } = useLingui()
  return (
    <Select
      label={t`Bank transaction for the payment`}
      error={error}
      value={lineId ?? ''}
      placeholder={t`Choose a bank transaction`}
      onChange={(event) => onLine(event.target.value || undefined)}
      options={lines.map((one) => ({
        value: one.id,
        label: `${calendarDayText(one.bookedOn, i18n.locale)} · ${moneyText({ minor: one.amount, currency }, i18n.locale)} · ${one.payer} · ${one.remittance}`,
      }))}
    />
  )
}
