import { evidenceBundle } from '#contract/office/records.ts'
import type { OfficeClient } from '#contract/office/clients.ts'
import { failureOf, noAnswer, sessionOfCalls } from '#ui/call.ts'

/** Fetches the ZIP of a client and hands it to the browser; throws a Failure. */
export async function saveEvidence(client: OfficeClient, reason: string): Promise<void> {
  const token = sessionOfCalls().token()
  const headers = new Headers({ 'content-type': 'application/json' })
  if (token) headers.set('authorization', `Bearer ${token}`)
  const path = evidenceBundle.path.replace(':id', encodeURIComponent(client.id))
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ reason }) }).catch(() => null)
  if (!response) throw noAnswer()
  if (!response.ok) throw failureOf(response, await response.json().catch(() => null))
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = `client-${client.client.number}-evidence.zip`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), addressLifeMs)
}

const addressLifeMs = 60_000
