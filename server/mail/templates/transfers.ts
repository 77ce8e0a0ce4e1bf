/** Mails about transfers between a client's own trading accounts. */
import { msg } from '#contract/message.ts'
import { accountOf, amountOf, recordButton, referenceRows } from '../payment-blocks.ts'
import { mailText, type MailTemplate, type MailTexts } from '../template.ts'

const texts = {
  approved: {
    subject: msg`Your transfer of {amount} from account {source} to account {destination} is complete`,
    body: msg`{amount} has been debited from account {source}. {arrives} has been credited to account {destination}.`,
  },
  rejected: {
    subject: msg`We could not carry out your transfer of {amount} from account {source} to account {destination}`,
    body: msg`Your transfer of {amount} from account {source} to account {destination} was rejected. No money has left account {source}. The amount set aside is available again.`,
  },
} as const satisfies Record<string, MailTexts>

const open = msg`View transfer`

function render(news: keyof typeof texts): MailTemplate {
  return (facts, language, letterhead) => {
    const values = {
      amount: amountOf(facts, language),
      source: accountOf(facts, 'source', 'sourcePlatform'),
      destination: accountOf(facts, 'destination', 'destinationPlatform'),
      arrives: amountOf(facts, language, 'arrivesMinor', 'arrivesCurrency'),
    }
    const { subject, body }: MailTexts = texts[news]
    const blocks = [
      { text: mailText(body, language, values) },
      referenceRows(facts, language),
      recordButton(open, 'transfers', facts, language, letterhead),
    ]
    return { subject: mailText(subject, language, values), blocks }
  }
}

export const transferMailTemplates = {
  'transfer-approved': render('approved'),
  'transfer-rejected': render('rejected'),
} as const satisfies Record<string, MailTemplate>
