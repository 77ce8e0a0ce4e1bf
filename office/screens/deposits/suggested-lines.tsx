import { useLingui } from '@lingui/react/macro'
import type { OfficeDeposit } from '#contract/office/deposits.ts'
import type { Currency } from '#rules/money.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { calendarDayText } from '#ui/text/time.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { MatchReasons } from './match-reasons.tsx'

interface SuggestedLinesProps {
  suggestions: OfficeDeposit['suggestions']
  currency: Currency
  value: string
  onValue: (lineId: string) => void
}

/** Bank transactions that may be the payment, with the evidence for each; none is preselected. */
export function SuggestedLines({ suggestions, currency, value, onValue }: SuggestedLinesProps) {
  const { t, i18n } = useLingui()
  if (suggestions.length === 0) return null
  return (
    <div className="matches" role="radiogroup" aria-label={t`Possible bank transactions`}>
      {suggestions.map(({ line, reasons, difference }) => (
        <label key={line.id} className="match">
          <input
            type="radio"
            name="line"
            value={line.id}
            checked={line.id === value}
            onChange={() => onValue(line.id)}
          />
          <span className="match-words">
            <span className="match-head">
              <span>{line.payer}</span>
              <Money amount={{ minor: line.amount, currency: line.currency }} />
            </span>
            <span className="muted">
              {calendarDayText(line.bookedOn, i18n.locale)} · <Codes>{line.remittance || '–'}</Codes> ·{' '}
              {groupedByFour(line.payerAccount) || '–'}
            </span>
            <MatchReasons reasons={reasons} difference={difference} currency={currency} />
          </span>
        </label>
      ))}
    </div>
  )
}
