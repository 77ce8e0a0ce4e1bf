/** Worldline Connect's payment product numbers of the methods offered (integrations, Card PSP). */
export const productIds = {
  visa: 1,
  mastercard: 3,
  visaDebit: 114,
  mastercardDebit: 119,
  ideal: 809,
} as const
