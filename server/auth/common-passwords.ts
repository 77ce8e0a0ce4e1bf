/** The passwords that are tried first, one a line, the commonest first: frequency list of zxcvbn-ts (MIT), 6 letters up. */
import { readFileSync } from 'node:fs'

const list = new URL('../../rules/common-passwords.txt', import.meta.url)
const common = new Set(readFileSync(list, 'utf8').trimEnd().split('\n'))

/** Returns whether many people use it; `password` is in lower case. */
export function isCommonPassword(password: string): boolean {
  return common.has(password)
}
