/** The rules of a new password, with the firm's length and the person's own words (ASVS V6). */
import { readFileSync } from 'node:fs'
import { checkPassword } from '#rules/passwords.ts'
import { Problem } from '../http/problem.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * The passwords that are guessed first, one a line, the most common first: frequency list of zxcvbn-ts (MIT), 6 letters
 * or more.
 */
const commonPasswordsFile = new URL('../../rules/common-passwords.txt', import.meta.url)
const commonPasswordSet = new Set(readFileSync(commonPasswordsFile, 'utf8').trimEnd().split('\n'))

/** Throws the problem of an unacceptable password. `own` are names and addresses of the person and the firm. */
export async function checkNewPassword(
  dependencies: Pick<Dependencies, 'settings' | 'breachedPasswords'>,
  password: string,
  own: readonly string[],
  who: 'client' | 'staff' = 'client',
): Promise<void> {
  const { passwordLengthMin, staffPasswordLengthMin } = await dependencies.settings.get('security')
  const min = who === 'staff' ? staffPasswordLengthMin : passwordLengthMin
  const { name } = await dependencies.settings.get('firm')
  const problem = checkPassword(password, {
    lengthMin: min,
    isCommon: (lowerCase) => commonPasswordSet.has(lowerCase),
    own: [...own, name],
  })
  if (problem !== null) throw new Problem(problem, { field: 'password', values: { min } })
  if (await dependencies.breachedPasswords.has(password)) throw new Problem('password-leaked', { field: 'password' })
}
