/** A decision's input with all warnings acknowledged, for tests that do not test checks. */
import { checkNames } from '#rules/checks/check.ts'

export const allAcknowledged = { acknowledged: [...checkNames], note: 'Every warning was read.' }
