/** The ids of records. Each kind is a type of its own, so that none is taken for another's (docs/architecture.md, rule 7). */

declare const kind: unique symbol
type Id<Kind extends string> = string & { readonly [kind]: Kind }

export type ClientId = Id<'client'>
export type AccountId = Id<'account'>
export type StaffId = Id<'staff'>
