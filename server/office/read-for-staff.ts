import type { ProblemCode } from '#contract/problems.ts'
import { Problem } from '../http/problem.ts'

/**
 * Returns a reading of the platform. What a client is told of an account that its platform no longer has does not help
 * staff: throws their problem, which names a remedy.
 */
export async function readForStaff<Read>(reading: Promise<Read>, problem: ProblemCode): Promise<Read> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'account-closed') throw error
    throw new Problem(problem)
  }
}
