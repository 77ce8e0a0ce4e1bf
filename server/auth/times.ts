/** Times inside facts of mails and notices: seconds since 1970, as on the wire. */
export function timeOf(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
