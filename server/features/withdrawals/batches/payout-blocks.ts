/** Reasons why an approved withdrawal may not be paid now, checked when a batch is created and again at its release. */
import type { ProblemCode } from '#contract/problems.ts'
import { payoutNotPaid } from '#rules/differences.ts'
import { checkNames, type CheckName } from '#rules/checks/check.ts'
import type { Language } from '#rules/choices.ts'
import { sentenceOfCheck, titleOfCheck } from '../../../checks/check-texts.ts'
import type { DecisionTerms } from '../../../checks/checked-request.ts'
import { blocksOf } from '../../../checks/pass-checks.ts'
import type { Connection } from '../../../db/sql.ts'
import { paidOnlyAtBank } from '../../../ledger/differences.ts'
import { problemText } from '../../../http/problem.ts'
import type { Withdrawal } from '../queries.ts'
import { withdrawalChecked } from '../withdrawal-checks.ts'

export interface PayoutBlock {
  /** The name of a check, or a problem's code. */
  readonly code: string
  /** The result of the check; without it the block is shown by its name. */
  readonly text?: (language: Language) => string
}

export type PayoutBlocks = ReadonlyMap<string, readonly PayoutBlock[]>

/** Returns what blocks each payment, by its id; payments without a block are absent. */
export async function payoutBlocks(
  connection: Connection,
  payments: readonly Withdrawal[],
  stage: 'batch' | 'release',
  terms: DecisionTerms,
): Promise<PayoutBlocks> {
  const blocks = new Map<string, PayoutBlock[]>()
  const checked = withdrawalChecked(stage)
  const paidThere = await paidOnlyAtBank(
    connection,
    payments.map(({ id }) => id),
  )
  for (const payment of payments) {
    const judged = await blocksOf(connection, checked, payment, terms)
    const found: PayoutBlock[] = judged.map((one) => ({
      code: one.name,
      text: (language: Language) => sentenceOfCheck(one, { ...terms, language }),
    }))
    if (paidThere.has(payment.id)) found.push({ code: payoutNotPaid })
    if (found.length > 0) blocks.set(payment.id, found)
  }
  return blocks
}

/** Returns blocks as text for staff. */
export function blockResponses(blocks: readonly PayoutBlock[] | undefined, language: Language) {
  return (blocks ?? []).map(({ code, text }) => ({ code, text: text ? text(language) : nameOfBlock(code, language) }))
}

function nameOfBlock(code: string, language: Language): string {
  const isCheck = (checkNames as readonly string[]).includes(code)
  return isCheck ? titleOfCheck(code as CheckName, language) : problemText(code as ProblemCode, language)
}
