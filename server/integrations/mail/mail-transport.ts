/** The interface of mail transports. */

export interface OutgoingMail {
  /** One address, without a name. */
  to: string
  subject: string
  html: string
  text: string
  /** "<id@host>", the same at every attempt of one mail, so that a receiver can recognise a duplicate. */
  messageId: string
  /** The firm's name, shown with the sender's address. */
  fromName?: string
}

export interface MailTransport {
  /**
   * Resolves when the mail server has accepted the mail. Throws `Rejected` (this mail will never be accepted),
   * `Unavailable` (not accepted, try later), `Unknown` (may have been accepted; sending again under the same id is
   * allowed).
   */
  send(mail: OutgoingMail): Promise<void>
  /** Resolves when the server has greeted and accepted our sign-in. */
  health(): Promise<void>
}
