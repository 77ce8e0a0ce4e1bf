/** Documents as a client saves them, valid in June 2026, and the holder of the passport that tests draw. */
import type { Bearer } from '#scripts/seed/pictures.ts'

/** The holder as their passport shows them; its number is that of the machine-readable zone. */
export const passportBearer: Bearer = {
  name: 'Clara Elisabeth',
  surname: 'Weidmann',
  born: '14.03.1986',
  nationality: 'DE',
  number: 'L01X00T47',
  expires: '22.09.2029',
  address: '',
}

/** Returns a passport, with changes for tests of rejections. */
export function passportBody(documentFront: string, changes: object = {}) {
  const data = { country: 'DE', documentNumber: 'C01X00T47', expiryDay: 22, expiryMonth: 9, expiryYear: 2029 }
  return { documentType: 'passport', data: { ...data, documentFront, ...changes } }
}

/** Returns a proof of address, which has a day of issue instead of an expiry date. */
export function billBody(documentFront: string, changes: object = {}) {
  const data = { country: 'DE', documentNumber: 'U-77', expiryDay: 1, expiryMonth: 6, expiryYear: 2026 }
  return { documentType: 'utility_bill', data: { ...data, documentFront, ...changes } }
}
