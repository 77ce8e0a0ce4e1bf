import { evidenceBundle } from '#contract/office/records.ts'
import type { OfficeClient } from '#contract/office/clients.ts'
import { saveFile } from '#ui/api/upload.ts'

/** Fetches the ZIP of a client and hands it to the browser; throws a Failure. */
export function saveEvidence(client: OfficeClient, reason: string): Promise<void> {
  const path = evidenceBundle.path.replace(':id', encodeURIComponent(client.id))
  return saveFile(path, `client-${client.client.number}-evidence.zip`, { reason })
}
