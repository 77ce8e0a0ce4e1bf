/** Labels of document types. */
import { msg } from './message.ts'

export const documentLabels = {
  passport: msg`Passport`,
  id: msg`Identity card`,
  drivers_licence: msg`Drivers licence`,
  bank_statement: msg`Bank statement`,
  utility_bill: msg`Utility bill`,
  government_letter: msg`Government letter`,
  proofOfAddress: msg`Proof of Address`,
  source_of_wealth: msg`Proof of source of wealth`,
}
