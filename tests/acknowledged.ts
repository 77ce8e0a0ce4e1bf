/** What a decision brings whose warnings are all acknowledged: for tests of other things than checks. */
import { checkNames } from '#rules/checks/check.ts'

export const allAcknowledged = { acknowledged: [...checkNames], note: 'Every warning was read.' }
