/** How long accounts are watched, and from when on what was read of them is old. */

/** A server that ends leaves its accounts watched for so long; renewed well before. */
export const watchedMs = 30_000
/** A platform that answers is read every 12 s: figures that are older are said to be. */
export const oldMs = 20_000
