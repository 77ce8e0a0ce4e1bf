/** The mail about a correction that staff booked on an account. */
import { msg } from '#contract/message.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { currencies, money, type Currency } from '#rules/money.ts'
import { amountText } from '../../i18n/format.ts'
import { factText, type MailTemplate, mailText } from '../template.ts'

const booked: MailTemplate = (facts, language, letterhead) => {
  const currency = factText(facts, 'currency')
  if (!(currencies as readonly string[]).includes(currency)) throw new Error(`${currency} is not a currency`)
  const amount = amountText(money(BigInt(factText(facts, 'minor')), currency as Currency), language)
  const account = groupByFour(factText(facts, 'account'))
  const href = letterhead.portalUrl + portalPaths.tradingAccounts
  const subject = mailText(msg`The balance of your account {account} has been corrected`, language, { account })
  const note = msg`We have corrected the balance of your trading account. Two people have checked it.`
  return {
    subject,
    blocks: [
      { text: mailText(note, language) },
      {
        rows: [
          [mailText(msg`Account`, language), account],
          [mailText(msg`Correction`, language), amount],
        ],
      },
      { button: mailText(msg`View account`, language), href },
    ],
  }
}

export const correctionMailTemplates = { 'correction-booked': booked } as const satisfies Record<string, MailTemplate>
