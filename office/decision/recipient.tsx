import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Recipient as BankRecipient } from '#contract/office/decisions.ts'
import type { Currency } from '#rules/money.ts'
import { type DescriptionRow, DescriptionList } from '#ui/data/description-list.tsx'
import { moneyText } from '#ui/money/money.tsx'
import { groupedByFour, groupedInPlace, sortCodeText } from '#ui/text/code-format.ts'
import { Time } from '#ui/text/time.tsx'
import { RecordSection } from './record-section.tsx'

/**
 * The bank account that a withdrawal is paid to: whose it is, since when it is approved, and what it has been used for.
 */
export function Recipient({ bank, currency }: { bank: BankRecipient; currency: Currency }) {
  const { t, i18n } = useLingui()
  const uses = bank.usedForPayouts
  const rows: (DescriptionRow | false)[] = [
    { key: t`Account holder`, value: bank.holder },
    bank.iban !== null && { key: t`IBAN`, value: <span className="numbers">{groupedInPlace(bank.iban)}</span> },
    bank.accountNumber !== null && {
      key: t`Account number`,
      value: <span className="numbers">{groupedByFour(bank.accountNumber)}</span>,
    },
    bank.sortCode !== null && {
      key: t`Sort code`,
      value: <span className="numbers">{sortCodeText(bank.sortCode)}</span>,
    },
    { key: t`Bank`, value: bank.bankName },
    {
      key: t`Approved`,
      value: bank.approvedAt ? (
        <>
          <Time at={bank.approvedAt} form="day" />,{' '}
          {uses === 0 ? (
            t`never used for a payout`
          ) : (
            <Plural value={uses} one="used for # payout" other="used for # payouts" />
          )}
        </>
      ) : (
        <b className="tone-bad">{t`Not approved`}</b>
      ),
    },
    {
      key: t`Deposits from this account`,
      value:
        bank.depositedFrom !== null && bank.depositedFrom > 0n
          ? t`Yes, ${moneyText({ minor: bank.depositedFrom, currency }, i18n.locale)} in total`
          : t`No`,
    },
  ]
  return (
    <RecordSection title={<Trans>Recipient</Trans>}>
      <DescriptionList rows={rows} />
    </RecordSection>
  )
}
