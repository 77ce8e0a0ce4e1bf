import { useLingui } from '@lingui/react/macro'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { PopoverButton } from '#ui/overlays/popover-button.tsx'
import type { AmountFormProps } from './amount-form.tsx'
import type { AmountRange } from './amounts.ts'

const AmountForm = lazyPart(async () => (await import('./amount-form.tsx')).AmountForm)

interface AmountFilterProps extends AmountFormProps {
  look?: string
}

/** A filter by currency and by a range of amounts, both included. */
export function AmountFilter({ look = 'button outline small', ...form }: AmountFilterProps) {
  const { asked, onAmount } = form
  const { t } = useLingui()
  const words = useAmountFilterText(asked)
  return (
    <PopoverButton name={words ? t`Amount: ${words}` : t`Amount`} look={look} face={words || t`Amount`}>
      {(close) => (
        <AmountForm
          {...form}
          onAmount={(next) => {
            close()
            onAmount(next)
          }}
        />
      )}
    </PopoverButton>
  )
}

/** Returns "EUR, from 10,000", or an empty text. */
function useAmountFilterText({ currency, amountFrom, amountTo }: AmountRange): string {
  const { t, i18n } = useLingui()
  const number = (amount: string) => i18n.number(Number(amount))
  const range =
    amountFrom !== '' && amountTo !== ''
      ? `${number(amountFrom)} – ${number(amountTo)}`
      : amountFrom !== ''
        ? t`from ${number(amountFrom)}`
        : amountTo !== ''
          ? t`up to ${number(amountTo)}`
          : ''
  return [currency, range].filter(Boolean).join(', ')
}
