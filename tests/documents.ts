/** Returns a document as a client saves it, valid in June 2026, with changes for tests of rejections. */

export function passportBody(documentFront: string, changes: object = {}) {
  const data = { country: 'DE', documentNumber: 'C01X00T47', expiryDay: 22, expiryMonth: 9, expiryYear: 2029 }
  return { documentType: 'passport', data: { ...data, documentFront, ...changes } }
}

/** Returns a proof of address, which has a day of issue instead of an expiry date. */
export function billBody(documentFront: string, changes: object = {}) {
  const data = { country: 'DE', documentNumber: 'U-77', expiryDay: 1, expiryMonth: 6, expiryYear: 2026 }
  return { documentType: 'utility_bill', data: { ...data, documentFront, ...changes } }
}
