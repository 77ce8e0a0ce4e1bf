/** Documents as a client saves them, valid in June 2026: tests of refusals change them. */

export function passportBody(documentFront: string, changes: object = {}) {
  const data = { country: 'DE', documentNumber: 'C01X00T47', expiryDay: 22, expiryMonth: 9, expiryYear: 2029 }
  return { documentType: 'passport', data: { ...data, documentFront, ...changes } }
}

/** A proof of address: what expires of others is its day of issue. */
export function billBody(documentFront: string, changes: object = {}) {
  const data = { country: 'DE', documentNumber: 'U-77', expiryDay: 1, expiryMonth: 6, expiryYear: 2026 }
  return { documentType: 'utility_bill', data: { ...data, documentFront, ...changes } }
}
