/** The channels that recovery has stopped, as both apps receive them (requirements 20.11). */
import * as z from 'zod/mini'

/** Null unless recovery is open. `accounts`: trading accounts and the card provider; `payouts`: the bank. */
export const moneyStopped = z.nullable(z.object({ accounts: z.boolean(), payouts: z.boolean() }))
