/** How long accounts are watched, and when their readings count as old. */

/** Accounts of a server that ends stay watched for this long; renewed well before. */
export const watchedMs = 30_000
/** A responding platform is read every 12 s: older figures are marked as such. */
export const oldMs = 20_000
