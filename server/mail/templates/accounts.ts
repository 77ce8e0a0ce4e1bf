/** Mails about trading accounts and their leverage. The first password is never in a mail. */
import { msg, type Message } from '#contract/message.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { commentText } from '../../i18n/format.ts'
import { mailText, type Block, type MailTemplate, type MailTexts } from '../template.ts'

interface TemplateTexts extends MailTexts {
  readonly after?: Message
}

const texts = {
  opened: {
    subject: msg`Your trading account {account} is open`,
    body: msg`Your {platform} account {account} is open. Log in to the server {server}.`,
    after: msg`Your trading password is ready. Log in and select “Show the password” on the account to view it. You can view it once, within 7\u00a0days. We never send passwords by email.`,
  },
  rejected: {
    subject: msg`We could not open your {platform} {type} account`,
    body: msg`You requested an {platform} {type} account in {currency}. We could not open it.`,
  },
  changed: {
    subject: msg`New leverage for account {account}`,
    body: msg`The leverage of your account {account} is now {to}. It was {from} before.`,
  },
  kept: {
    subject: msg`The leverage of account {account} has not changed`,
    body: msg`We could not change the leverage of your account {account} to {to}. It stays at {from}.`,
  },
} as const satisfies Record<string, TemplateTexts>

const labels = { reason: msg`Reason`, open: msg`View trading accounts` } as const

function render(news: keyof typeof texts): MailTemplate {
  return (facts, language, letterhead) => {
    const { subject, body, after }: TemplateTexts = texts[news]
    const { number } = facts
    const values = { ...facts, account: typeof number === 'string' ? groupByFour(number) : undefined }
    const reason = facts['reason']
    const path = facts['requestType'] === 'demo' ? portalPaths.demoAccounts : portalPaths.tradingAccounts
    const blocks: Block[] = [
      { text: mailText(body, language, values) },
      ...(typeof reason === 'string' && reason !== ''
        ? [{ rows: [[mailText(labels.reason, language), commentText(reason, language)]] as const }]
        : []),
      ...(after === undefined ? [] : [{ text: mailText(after, language) }]),
      { button: mailText(labels.open, language), href: letterhead.portalUrl + path },
    ]
    return { subject: mailText(subject, language, values), blocks }
  }
}

export const accountMailTemplates = {
  'account-opened': render('opened'),
  'account-rejected': render('rejected'),
  'leverage-changed': render('changed'),
  'leverage-rejected': render('kept'),
} as const satisfies Record<string, MailTemplate>
