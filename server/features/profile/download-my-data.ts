/** Downloads the client's own data as a ZIP. */
import type { downloadMyData as endpoint } from '#contract/profile.ts'
import { recordEvent } from '../../db/events.ts'
import { transaction } from '../../db/sql.ts'
import { zipOf } from '../../export/zip.ts'
import { BinaryResponse, requireClient, type Handler } from '../../http/handler.ts'
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import { clientDataEntries } from './client-data.ts'

const timesPerHour = 3

/** Returns the ZIP, at most three times an hour. */
export const downloadMyData: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  await enforceLimit(dependencies.pool, perHour('my-data', clientId), timesPerHour, context.now)
  await transaction(dependencies.pool, (tx) =>
    recordEvent(tx, context.auditContext, { kind: 'client', action: 'downloadMyData', record: clientId, clientId }),
  )
  return new BinaryResponse(
    zipOf(clientDataEntries(dependencies, { id: clientId, language: context.language }), context.now),
    `my-data-${context.now.toISOString().slice(0, 10)}.zip`,
  )
}
