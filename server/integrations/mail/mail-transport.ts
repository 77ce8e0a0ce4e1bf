/** Mail as the rest of the server sees it. */

export interface OutgoingMail {
  /** One address, without a name. */
  to: string
  subject: string
  html: string
  text: string
  /** "<id@host>", the same at every try of one mail: a receiver can tell that it has it already. */
  messageId: string
  /** The firm's name, shown beside the sender's address. */
  fromName?: string
}

export interface MailTransport {
  /**
   * Resolves when the mail server has taken the mail over. Throws `Rejected` (this mail will never be taken),
   * `Unavailable` (not taken, try later), `Unknown` (may have been taken; sending again under the same id is in order).
   */
  send(mail: OutgoingMail): Promise<void>
  /** Resolves when the server greets and accepts our sign-in. */
  health(): Promise<void>
}
