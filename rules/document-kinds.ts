/** The kinds of document and the groups that they prove: requirements 6.1. */

export const identityKinds = ['passport', 'id', 'drivers_licence'] as const
export type IdentityKind = (typeof identityKinds)[number]
/** `proofOfAddress` is the one form of /documents. */
export const addressKinds = ['bank_statement', 'utility_bill', 'government_letter', 'proofOfAddress'] as const
export type AddressKind = (typeof addressKinds)[number]
export const documentKinds = [...identityKinds, ...addressKinds, 'source_of_wealth'] as const
export type DocumentKind = (typeof documentKinds)[number]
export const documentGroups = ['proof_of_identity', 'proof_of_address', 'source_of_wealth'] as const
export type DocumentGroup = (typeof documentGroups)[number]
