/** Queries the checkouts of the lost time for `operator recover` (requirements 20.17). */
import type { DepositId } from '#rules/ids.ts'
import type { AuditContext } from '../db/events.ts'
import { rows } from '../db/sql.ts'
import type { Dependencies } from '../dependencies.ts'
import { pageLifeMs } from '../integrations/card-provider/payment-provider.ts'
import { isIntegrationError } from '../integrations/errors.ts'
import { isSilenceReviewed } from '../ledger/differences.ts'

export interface QueryingCheckouts {
  readonly dependencies: Dependencies
  /** Queries the provider about one checkout and posts the result. */
  askCheckout(depositId: DepositId, auditContext: AuditContext): Promise<unknown>
}

/**
 * Queries the checkouts that may have been paid, cancelled or refunded since: a page may have been opened before. Returns
 * the number of queried checkouts, and the references of those without a usable response; a missing one that two people
 * have reviewed is left out.
 */
export async function queryCheckouts(
  { dependencies, askCheckout }: QueryingCheckouts,
  since: Date,
  auditContext: AuditContext,
): Promise<{ asked: number; silent: string[] }> {
  const checkouts = await rows<{ id: DepositId; reference: string }>(dependencies.jobs)`
    select id, reference from deposits where type <> 'wire' and provider_id is not null
        and (state in ('pending', 'in_review', 'processing') or requested_at > ${new Date(since.getTime() - pageLifeMs)}
          or (received_minor is not null and refunded_minor < received_minor))
      order by requested_at`
  const silent: string[] = []
  for (const { id, reference } of checkouts) {
    try {
      await askCheckout(id, auditContext)
    } catch (error) {
      if (!isIntegrationError(error)) throw error
      if (!(await isSilenceReviewed(dependencies.jobs, id))) silent.push(reference)
    }
  }
  return { asked: checkouts.length, silent }
}

const namedMax = 20

/** Returns which card payments have no usable response, and how people end the wait for it (ADR 351). */
export function silentText(checkouts: readonly string[]): string {
  const more = checkouts.length > namedMax ? ` and ${checkouts.length - namedMax} more` : ''
  return (
    'The card provider did not respond about these payments, or its response cannot be used: ' +
    `${checkouts.slice(0, namedMax).join(', ')}${more}. Run recover again when it responds. If this continues, run recover ` +
    'again after an hour, and let two people in finance decide on each payment in the back office, under Reconciliation.'
  )
}
