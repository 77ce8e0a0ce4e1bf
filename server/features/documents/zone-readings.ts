/** Readings of documents' machine-readable zones, and how much of them is shown. */
import type { OfficeDocument } from '#contract/office/documents.ts'
import { zoneKinds } from '#rules/documents.ts'
import { rows, type Connection } from '../../db/sql.ts'
import type { FieldReading, ZoneField } from '../../mrz/read-fields.ts'
import type { Mrz } from './read-mrz.ts'

type Fields = Readonly<Record<ZoneField, FieldReading>>

export interface DocumentReading {
  readonly state: 'waiting' | 'read' | 'none' | 'failed'
  readonly side: 'front' | 'back' | null
  readonly page: number | null
  readonly lines: readonly string[]
  readonly fields: Fields | null
  /** Fields for which the check digit decided between similar readings. */
  readonly chosen: string[]
}

interface ReadingRow {
  document_id: string
  document_state: string
  side: 'front' | 'back'
  state: 'read' | 'none' | 'failed' | null
  page: number | null
  lines: string[] | null
  fields: Fields | null
}

/**
 * Returns readings by document, for kinds with a zone: that of the side that was read best. A document that was decided
 * before its files were read has none.
 */
export async function readingsOf(
  connection: Connection,
  ids: readonly string[],
): Promise<Map<string, DocumentReading>> {
  const found = await rows<ReadingRow>(connection)`
    select d.id as document_id, d.state as document_state, s.side, z.state, z.page, z.lines, z.fields
      from documents d cross join lateral (values ('front', d.front_file), ('back', d.back_file)) s (side, file_id)
        left join zone_readings z on z.file_id = s.file_id
      where d.id = any (${[...ids]}::uuid[]) and d.kind = any (${[...zoneKinds]}::text[]) and s.file_id is not null`
  const readings = new Map<string, DocumentReading>()
  for (const id of new Set(found.map((one) => one.document_id))) {
    const best = bestReading(found.filter((one) => one.document_id === id))
    if (best) readings.set(id, best)
  }
  return readings
}

function bestReading(sides: readonly ReadingRow[]): DocumentReading | null {
  const [best] = sides.filter(({ state }) => state === 'read').sort((a, b) => totalConfidence(b) - totalConfidence(a))
  if (best?.lines && best.fields) {
    const { side, page, lines, fields } = best
    const chosen = Object.entries(fields).flatMap(([field, one]) => (one.chosen ? [field] : []))
    return { state: 'read', side, page, lines, fields, chosen }
  }
  const nothing = { side: null, page: null, lines: [], fields: null, chosen: [] }
  if (sides.some(({ state }) => state === null))
    return sides[0]?.document_state === 'pending_approval' ? { state: 'waiting', ...nothing } : null
  return { state: sides.some(({ state }) => state === 'failed') ? 'failed' : 'none', ...nothing }
}

const totalConfidence = ({ fields }: ReadingRow) =>
  Object.values(fields ?? {}).reduce((sum, { confidence }) => sum + confidence, 0)

/** Below this confidence a person enters the value from the image. */
const shownConfidenceMin = 0.5

/** Returns the zone with empty fields where the reader's confidence is too low. */
export function withoutUncertainFields(mrz: Mrz, reading: DocumentReading): Mrz {
  const keep = <T>(field: ZoneField, value: T) =>
    (reading.fields?.[field].confidence ?? 0) < shownConfidenceMin ? null : value
  return {
    ...mrz,
    surname: keep('surname', mrz.surname),
    givenNames: keep('givenNames', mrz.givenNames),
    number: keep('number', mrz.number),
    birthDate: keep('birthDate', mrz.birthDate),
    expiry: keep('expiry', mrz.expiry),
    nationality: keep('nationality', mrz.nationality),
  }
}

export function confidenceOf(
  reading: DocumentReading,
  code: OfficeDocument['comparisons'][number]['code'],
): number | null {
  return reading.fields?.[code as ZoneField]?.confidence ?? null
}
