import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { moneyText } from '#ui/money/money.tsx'
import { Select } from '#ui/forms/select.tsx'
import { calendarDayText } from '#ui/text/time.tsx'
import { ProposeDialog, type ProposeItemProps } from './propose-dialog.tsx'

/** The choice of the bank transaction that paid a wire which recovery adopted before its statement was imported. */
export function ProposeLineDialog({ item, onClose }: ProposeItemProps) {
  const { t, i18n } = useLingui()
  const { amount, currency, lines } = item
  const [lineId, setLine] = useState<string>()
  return (
    <ProposeDialog
      item={item}
      onClose={onClose}
      subject={moneyText({ minor: amount, currency }, i18n.locale)}
      action="adopt"
      values={lineId ? { lineId } : {}}
      fields={lines.length > 0 ? ['lineId'] : []}
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
    </ProposeDialog>
  )
}

interface LineSelectProps {
  item: Pick<ProposeItemProps['item'], 'lines' | 'currency'>
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
