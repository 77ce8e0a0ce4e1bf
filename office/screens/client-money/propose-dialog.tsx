import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { listFirmMoney, proposeFirmMoney } from '#contract/office/firm-money.ts'
import { currencies, type Currency } from '#rules/money.ts'
import { AmountField } from '#ui/forms/amount-field.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'

interface ProposeDialogProps {
  onClose: () => void
  onDone: (id: string) => void
}

/** Shows which way, how much, and why; a second person confirms before anything is paid. */
export function ProposeDialog({ onClose, onDone }: ProposeDialogProps) {
  const { t } = useLingui()
  const [out, setOut] = useState(false)
  const [amount, setAmount] = useState('')
  const [currency, setCurrency] = useState<Currency>('EUR')
  return (
    <ActionDialog
      endpoint={proposeFirmMoney}
      input={(reason) => ({ amount: out ? `-${amount}` : amount, currency, reason })}
      refreshes={[listFirmMoney]}
      done={t`Proposed. Another person must confirm it before payment.`}
      fields={['currency', 'amount']}
      title={<Trans>Transfer firm money</Trans>}
      command={<Trans>Propose</Trans>}
      onClose={onClose}
      onDone={({ id }) => onDone(id)}
    >
      {(errors) => (
        <>
          <RadioCards
            label={t`Direction`}
            value={out ? 'out' : 'in'}
            onValue={(way) => setOut(way === 'out')}
            tiles={[
              { value: 'in', label: t`Into the client money account` },
              { value: 'out', label: t`Out of the client money account` },
            ]}
          />
          <RadioCards
            label={t`Currency`}
            across={3}
            short
            value={currency}
            error={errors['currency']}
            onValue={setCurrency}
            tiles={currencies.map((one) => ({ value: one, label: one }))}
          />
          <AmountField
            size="line"
            label={t`Amount`}
            currency={currency}
            value={amount}
            error={errors['amount']}
            onValue={setAmount}
          />
        </>
      )}
    </ActionDialog>
  )
}
