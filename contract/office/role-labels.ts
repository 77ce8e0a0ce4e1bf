/** Labels of staff roles (requirements 1.5 to 1.9), and of client categories. */
import { msg } from '../message.ts'

export const roleLabels = {
  compliance: msg`Compliance officer`,
  operations: msg`Operations clerk`,
  finance: msg`Finance supervisor`,
  administrator: msg`Administrator`,
  auditor: msg`Auditor`,
}

export const clientStatusLabels = {
  retail: msg`Retail`,
  professional: msg`Professional`,
}
