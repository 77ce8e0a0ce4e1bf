/**
 * Other clients on the page of a client: only this module names them, to readers who may see links; all others read how
 * many (requirements 24.9, ADR 243).
 */
import type { OtherClients } from '#contract/office/briefs.ts'
import { canSeeLinkedClients } from '#rules/linked-clients.ts'
import type { Dependencies } from '../dependencies.ts'
import { requireStaff, type RequestContext } from '../http/handler.ts'
import { clientBriefs } from './records.ts'

/** Returns the other clients in the order of `ids`. `count` is their total if `ids` has only the first. */
export async function otherClients(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller'>,
  ids: readonly string[],
  count = ids.length,
): Promise<OtherClients> {
  if (!canSeeLinkedClients(requireStaff(context).roles)) return { count, clients: null }
  const clientOf = await clientBriefs(dependencies, ids)
  return { count, clients: ids.flatMap((id) => clientOf(id) ?? []) }
}
