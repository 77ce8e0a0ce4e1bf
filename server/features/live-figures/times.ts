/** How often watched accounts are read, how long they are watched, and when their readings count as old. */

/** The interval of the readings, counted from the beginning of each. */
export const readEveryMs = 12_000
/** How long accounts of a server that has stopped stay watched; running servers renew the watch well before. */
export const watchedMs = 30_000
/**
 * Older readings are marked as old. The time left after the interval is for reading the platform, storing and sending.
 */
export const oldMs = 15_000
