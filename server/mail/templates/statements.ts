/** Mails about account statements. They contain no figures, which require a sign-in. */
import { msg, type Message } from '#contract/message.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { languageRows } from '#rules/choices.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { mailText, factText, type MailTemplate } from '../template.ts'

const labels = { open: msg`View statements` } as const

function render(words: { readonly subject: Message; readonly body: Message }): MailTemplate {
  return (facts, language, letterhead) => {
    const number = factText(facts, 'number')
    const platform = factText(facts, 'platform') === 'MT4' ? 'MT4' : 'MT5'
    const names = new Intl.DateTimeFormat(languageRows[language].locale, {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    })
    const month = names.format(new Date(`${factText(facts, 'month')}-01`))
    const values = { account: groupByFour(number), month, platform }
    const subject = mailText(words.subject, language, values)
    const blocks = [
      { text: mailText(words.body, language, values) },
      {
        button: mailText(labels.open, language),
        href: letterhead.portalUrl + portalPaths.tradingAccount(platform, number),
      },
    ]
    return { subject, blocks }
  }
}

export const statementMailTemplates = {
  'statement-ready': render({
    subject: msg`Your statement of account {account} for {month} is ready`,
    body: msg`The statement of your {platform} account {account} for {month} is ready. Log in to view and save it.`,
  }),
  'statement-corrected': render({
    subject: msg`A new edition of your statement for account {account}, {month}, is available`,
    body: msg`A correction was posted to your {platform} account {account} for {month}. We have created a new edition of the statement. The earlier edition stays available.`,
  }),
} as const satisfies Record<string, MailTemplate>
