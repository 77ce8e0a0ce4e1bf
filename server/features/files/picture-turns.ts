import { turns } from '../../threads/turns.ts'

/** Pictures are decoded in libuv's threads, two at a time: more would only take memory. */
export const decodeInTurn = turns(2)
