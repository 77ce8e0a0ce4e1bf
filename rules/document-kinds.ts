/** The kinds of document and the groups that they prove (requirements 6.1). */
import type { RiskLevel } from './country-data.ts'

export const identityKinds = ['passport', 'id', 'drivers_licence'] as const
export type IdentityKind = (typeof identityKinds)[number]
/** Kinds with a machine-readable zone that the server reads; driving licences follow other standards. */
export const zoneKinds = ['passport', 'id'] as const
/** `proofOfAddress` is the only form of /documents. */
export const addressKinds = ['bank_statement', 'utility_bill', 'government_letter', 'proofOfAddress'] as const
type AddressKind = (typeof addressKinds)[number]
export const documentKinds = [...identityKinds, ...addressKinds, 'source_of_wealth'] as const
export type DocumentKind = (typeof documentKinds)[number]
export const documentGroups = ['proof_of_identity', 'proof_of_address', 'source_of_wealth'] as const
export type DocumentGroup = (typeof documentGroups)[number]

/** Returns the identity kinds that a level accepts: 1 and 2 all three, 3 and 4 no drivers licence, 5 none. */
export function identityAccepted(level: RiskLevel): readonly IdentityKind[] {
  if (level === 5) return []
  return level <= 2 ? identityKinds : identityKinds.filter((kind) => kind !== 'drivers_licence')
}

/** Returns the address kinds that a risk level accepts. */
export function addressAccepted(level: RiskLevel): readonly AddressKind[] {
  return level === 5 ? [] : addressKinds
}
