import { expect, test } from 'vitest'
import { isForServerAlone } from './key-file-mode.ts'

const server = { uid: 1000, groups: [1000] }

test.each([
  ['of the server itself', 0o600, 1000, 1000, true],
  ['of the server itself, read-only', 0o400, 1000, 1000, true],
  ['of root, for the group of the server, as in our manifest', 0o440, 0, 1000, true],
  ['of root, for another group', 0o440, 0, 7, false],
  ['of the server, open to its group', 0o640, 1000, 1000, false],
  ['of root, for the group of the server, which may write', 0o660, 0, 1000, false],
  ['readable by everyone', 0o444, 0, 1000, false],
  ['readable by others', 0o604, 1000, 1000, false],
])('a key file %s with mode %i, owner %i and group %i is private: %s', (_, mode, uid, gid, isAlone) => {
  expect(isForServerAlone({ mode: 0o100000 | mode, uid, gid }, server)).toBe(isAlone)
})
