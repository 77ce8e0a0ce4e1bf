/** The emails that the demo's mailbox received by SMTP. */
import { mailboxUrl } from '../product.ts'
import { expect } from './expect.ts'

export interface Mail {
  readonly id: string
  readonly subject: string
  readonly text: string
}

/** Waits for an email to an address with a matching subject, and returns it. */
export async function mailTo(address: string, subject: RegExp): Promise<Mail> {
  let found: { id: string; subject: string } | undefined
  await expect
    .poll(
      async () => {
        const answered = await fetch(`${mailboxUrl()}/mails?to=${encodeURIComponent(address)}`)
        const mails = (await answered.json()) as { id: string; subject: string }[]
        found = mails.find((mail) => subject.test(mail.subject))
        return found?.subject ?? mails.map((mail) => mail.subject)
      },
      { message: `a mail to ${address} about ${subject.source}` },
    )
    .toMatch(subject)
  const read = await fetch(`${mailboxUrl()}/mails/${found?.id}`)
  return (await read.json()) as Mail
}
