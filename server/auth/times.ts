/** Returns a time as seconds since 1970, for the facts of mails and notifications. */
export function timeOf(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
