/** A decision's input with all warnings acknowledged, for tests of anything but checks. */
import { checkNames } from '#rules/checks/check.ts'

export const allAcknowledged = { acknowledged: [...checkNames], note: 'Every warning was read.' }
