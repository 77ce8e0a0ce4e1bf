/** The mail about a correction that staff booked on an account. */
import { portalPaths } from '#contract/portal-paths.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { currencies, money, type Currency } from '#rules/money.ts'
import { amountText } from '../../i18n/format.ts'
import { text, type MailTemplate } from '../template.ts'

const booked: MailTemplate = (facts, language, letterhead) => {
  const currency = text(facts, 'currency')
  if (!(currencies as readonly string[]).includes(currency)) throw new Error(`${currency} is no currency`)
  const amount = amountText(money(BigInt(text(facts, 'minor')), currency as Currency), language)
  const account = groupByFour(text(facts, 'account'))
  const href = letterhead.portalUrl + portalPaths.tradingAccounts
  if (language === 'de') {
    const subject = `Der Saldo Ihres Kontos ${account} wurde korrigiert`
    return {
      subject,
      blocks: [
        { heading: subject },
        { text: 'Wir haben den Saldo Ihres Handelskontos korrigiert. Zwei Personen haben dies geprüft.' },
        {
          rows: [
            ['Konto', account],
            ['Korrektur', amount],
          ],
        },
        { button: 'Konto ansehen', href },
      ],
    }
  }
  const subject = `The balance of your account ${account} has been corrected`
  return {
    subject,
    blocks: [
      { heading: subject },
      { text: 'We have corrected the balance of your trading account. Two people have checked it.' },
      {
        rows: [
          ['Account', account],
          ['Correction', amount],
        ],
      },
      { button: 'View account', href },
    ],
  }
}

export const correctionMailTemplates = { 'correction-booked': booked } as const satisfies Record<string, MailTemplate>
