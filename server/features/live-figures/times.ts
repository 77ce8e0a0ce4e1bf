/** How often watched accounts are read, how long they are watched, and when their readings count as old. */

/** The interval of the readings, counted from the beginning of each. */
export const readEveryMs = 12_000
/** Accounts of a server that ends stay watched for this long; renewed well before. */
export const watchedMs = 30_000
/**
 * Older figures are marked as such. What is left of it after the interval is for reading the platform, storing and
 * sending.
 */
export const oldMs = 15_000
