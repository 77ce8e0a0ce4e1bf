import type { ProblemCode } from '#contract/problems.ts'
import { Problem } from '../http/problem.ts'

/**
 * Returns a reading of the platform. If the platform no longer has the account, throws the given problem for staff,
 * which names a remedy, instead of the one for clients.
 */
export async function readForStaff<Read>(reading: Promise<Read>, problem: ProblemCode): Promise<Read> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'account-closed') throw error
    throw new Problem(problem)
  }
}
