import { IconCheck } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { PayoutBatch } from '#contract/office/payout-batches.ts'
import { minorOf } from '#rules/money.ts'
import { AmountField } from '#ui/forms/amount-field.tsx'
import { Checklist, type ChecklistRow } from '#ui/data/checklist.tsx'
import { Money } from '#ui/money/money.tsx'
import { Codes } from '#ui/text/codes.tsx'

interface BeforeReleaseProps {
  batch: PayoutBatch
  typed: string
  onTyped: (total: string) => void
}

/** Returns whether the total entered is the one that the release would pay. */
export function isTotalOf({ draft }: Pick<PayoutBatch, 'draft'>, typed: string): boolean {
  return draft !== null && minorOf(typed) === draft.total
}

/** The checks before the release, and the field for the total. */
export function BeforeRelease({ batch, typed, onTyped }: BeforeReleaseProps) {
  const { t } = useLingui()
  const rows = useRows(batch)
  const mayRelease = batch.verbs.some(({ verb, refusal }) => verb === 'release' && refusal === null)
  const agrees = isTotalOf(batch, typed)
  return (
    <section>
      <h2 className="title-3 record-side-title">{t`Before release`}</h2>
      <Checklist checks={rows} />
      {mayRelease && (
        <div className="release-total">
          <AmountField
            label={t`Enter the total to confirm`}
            size="line"
            currency={batch.currency}
            value={typed}
            onValue={onTyped}
            error={typed !== '' && !agrees ? t`This does not match the total of the payout file.` : undefined}
          />
          {agrees && (
            <p className="tone-ok" role="status">
              <IconCheck className="small" aria-hidden="true" />
              <Trans>Matches the payout file</Trans>
            </p>
          )}
        </div>
      )}
    </section>
  )
}

const holds: readonly string[] = ['client-status', 'payments-on-hold', 'screening']
const accounts: readonly string[] = ['account-holder', 'same-elsewhere']

/** Returns the server's checks of all payments, failed ones first, and whether the bank balance covers the total. */
function useRows({ payments, draft, currency }: PayoutBatch): ChecklistRow[] {
  const { t } = useLingui()
  if (!draft) return []
  const { count, total, held } = draft
  const out = payments.filter(({ inFile }) => !inFile)
  const codes = out.flatMap(({ blocks }) => blocks.map(({ code }) => code))
  const blocked = (named: readonly string[]) => codes.some((code) => named.includes(code))
  const isOther = codes.some((code) => !holds.includes(code) && !accounts.includes(code))
  const covered = held === null || held >= total
  const failed: (ChecklistRow | false)[] = [
    ...out.map(({ reference, blocks }): ChecklistRow => ({
      tone: 'bad',
      title: <Codes>{t`${reference} is not included`}</Codes>,
      text: blocks.map(({ text }) => text).join(' '),
    })),
    !covered && {
      tone: 'wait',
      title: t`Bank balance in our records is lower than the total`,
      text: <Money amount={{ minor: held, currency }} />,
    },
  ]
  const passed: (ChecklistRow | false)[] = [
    {
      tone: 'ok',
      title: (
        <Plural
          value={count}
          one="Total equals the approved withdrawal"
          other="Total equals the # approved withdrawals"
        />
      ),
    },
    !blocked(holds) && { tone: 'ok', title: t`No client is suspended and no payments are on hold` },
    !blocked(accounts) && { tone: 'ok', title: t`Bank details are unchanged since approval` },
    !isOther && { tone: 'ok', title: t`No open chargeback or discrepancy` },
    held !== null &&
      covered && {
        tone: 'ok',
        title: t`Bank balance covers the total`,
        text: <Money amount={{ minor: held, currency }} />,
      },
  ]
  return [...failed, ...passed].filter((row) => row !== false)
}
