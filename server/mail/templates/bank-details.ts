/** Mails about a client's bank accounts. */
import { msg } from '#contract/message.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { recordOf, type Block, type MailTemplate, mailText } from '../template.ts'

const texts = {
  added: {
    subject: msg`A bank account ending {account} has been added`,
    body: msg`Your account at {bank} has been added and we are reviewing it. If this was not you, change your password and contact us immediately.`,
  },
  changed: {
    subject: msg`Your bank account ending {account} has been changed`,
    body: msg`You have changed the details of your account at {bank} and we are reviewing them. If this was not you, change your password and contact us immediately.`,
  },
  approved: {
    subject: msg`Your bank account ending {account} has been approved`,
    body: msg`We have verified your account at {bank}. You can now withdraw to it.`,
  },
  rejected: {
    subject: msg`We could not approve your bank account ending {account}`,
    body: msg`We need you to correct the details of your account at {bank}. We will review them again.`,
  },
} as const

const labels = { reason: msg`Reason`, open: msg`View bank details` } as const

function render(news: keyof typeof texts): MailTemplate {
  return (facts, language, letterhead) => {
    const { subject, body } = texts[news]
    const blocks: Block[] = [{ text: mailText(body, language, facts) }]
    if (typeof facts['reason'] === 'string')
      blocks.push({ rows: [[mailText(labels.reason, language), facts['reason']]] })
    const record = recordOf(facts)
    const path = record === undefined ? portalPaths.bankDetails : portalPaths.bankRecord(record)
    blocks.push({ button: mailText(labels.open, language), href: letterhead.portalUrl + path })
    return { subject: mailText(subject, language, facts), blocks }
  }
}

export const bankDetailsMailTemplates = {
  'bank-details-added': render('added'),
  'bank-details-changed': render('changed'),
  'bank-details-approved': render('approved'),
  'bank-details-rejected': render('rejected'),
} as const satisfies Record<string, MailTemplate>
