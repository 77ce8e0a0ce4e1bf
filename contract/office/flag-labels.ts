/** Labels of clients' flags. */
import { msg } from '../message.ts'

export const clientFlagLabels = {
  pep: msg`PEP`,
  sanction: msg`Sanctions`,
  watch: msg`Enhanced monitoring`,
}
