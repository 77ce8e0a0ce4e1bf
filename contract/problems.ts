/**
 * The error catalogue (requirements 16): each problem that a user can meet, with its status and its text, which the
 * server writes in the reader's language, so no app imports this file. `{name}` is a value given with the problem;
 * amounts and dates are formatted for the reader. Every other error is a bug.
 */
import { fundingProblems } from './problems-funding.ts'
import { generalProblems } from './problems-general.ts'
import { officeProblems } from './problems-office.ts'
import { portalProblems } from './problems-portal.ts'
import type { ProblemText } from './problem-texts.ts'

export const problems = {
  ...generalProblems,
  ...portalProblems,
  ...fundingProblems,
  ...officeProblems,
} as const satisfies Record<string, ProblemText>

export type ProblemCode = keyof typeof problems

/** The default field of a problem, unless the endpoint names another: the keys of requirements 16.1. */
export const problemFields: Partial<Record<ProblemCode, string>> = {
  'email-invalid': 'email',
  'email-or-password': 'emailorpassword',
  'password-incorrect': 'passwordincorrect',
  'password-short': 'password',
  'password-long': 'password',
  'password-characters': 'password',
  'password-common': 'password',
  'password-leaked': 'password',
  'password-own': 'password',
  'password-plain': 'password',
  'passwords-differ': 'confirm_password',
  'login-code-wrong': 'code',
  'code-wrong': 'code',
  'leverage-not-allowed': 'leverage',
  'leverage-unchanged': 'leverage',
  'leverage-pending': 'leverage',
  'nickname-invalid': 'nickname',
  'trading-password-characters': 'password',
  'trading-password-weak': 'password',
  'bank-statement-required': 'bankPOA',
  'card-type-required': 'ccType',
  'under-age': 'birthYear',
  'country-unavailable': 'country',
  'reason-required': 'reason',
}
