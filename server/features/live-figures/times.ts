/** How often watched accounts are read, how long they are watched, and when their readings count as old. */

/** The interval of the readings. */
export const readEveryMs = 12_000
/** Accounts of a server that ends stay watched for this long; renewed well before. */
export const watchedMs = 30_000
/** A responding platform is read every 12 s: older figures are marked as such. */
export const oldMs = 20_000
