/** Checks who else can read the file of the master key. */
import type { Stats } from 'node:fs'

type Owned = Pick<Stats, 'mode' | 'uid' | 'gid'>

/**
 * Returns whether only the server's account can read the file: as its owner, or, if the owner is another account, as a
 * member of its group, as Kubernetes mounts a secret for `fsGroup` (mode 0440). No one else may, and the group may not
 * write.
 */
export function isForServerAlone(
  { mode, uid, gid }: Owned,
  account: { uid: number; groups: readonly number[] },
): boolean {
  const [ofGroup, ofOthers] = [(mode >> 3) & 0o7, mode & 0o7]
  if (ofOthers !== 0) return false
  return ofGroup === 0 || (ofGroup === 0o4 && uid !== account.uid && account.groups.includes(gid))
}
