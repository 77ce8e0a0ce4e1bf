/**
 * The count of failed operations in the menu and on the overview. Separate from their list, so that neither loads its
 * contract.
 */
import * as z from 'zod/mini'

/** The greatest number of failed operations that the overview and the menu count. */
export const failedMax = 999
/**
 * What the list of failed operations has, up to one more than `failedMax`; null for those who may not read it, and from
 * a server of the version before.
 */
export const failedOperations = z._default(z.nullable(z.int()), null)
