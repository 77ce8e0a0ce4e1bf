/** Logins and references in the format of both platforms. */

/** A login, or the ticket of a deal. */
export const loginPattern = /^[1-9][0-9]{0,17}$/

/** Texts that fit into the comment of a balance operation. */
const refPattern = /^[A-Za-z0-9-]{1,31}$/

/** Returns whether a comment may be a reference of ours. */
export function mayBeRef(comment: string): boolean {
  return refPattern.test(comment)
}

/** Returns the reference of an operation. Throws a TypeError for one that does not fit into a comment. */
export function checkedRef(ref: string): string {
  if (!mayBeRef(ref)) throw new TypeError(`The reference does not fit into a comment: ${ref}`)
  return ref
}
