import { limitConcurrency } from '../../threads/limit-concurrency.ts'

/** Images are decoded in libuv's threads, two at a time: more would only use more memory. */
export const decodeInTurn = limitConcurrency(2)
