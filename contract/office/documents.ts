/** Documents for compliance: the case of a client, a decision for each document, a request for one file again. */
import * as z from 'zod/mini'
import { documentGroups, documentKinds, documentMachine } from '#rules/documents.ts'
import { metadataWarnings } from '#rules/file-metadata.ts'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { endpoint, type ResponseOf } from '../endpoint.ts'
import { body, choice, lineInQuery, seconds, trimmed } from '../fields.ts'
import { decisionsOn } from './decision.ts'
import {
  check,
  clientBrief,
  colleague,
  otherClients,
  page,
  paramsOf,
  root,
  staffBrief,
  clientParams,
  listOf,
} from './briefs.ts'
import { clientReason, note, recordFields, requiredRoles, action, version as shownVersion } from './decisions.ts'

const state = choice(documentMachine.states)

/** Metadata of the uploaded file, and which of it is suspicious. */
const fileMetadata = z.object({
  /** The camera's local time, without a time zone. */
  takenAt: z.nullable(z.string()),
  software: z.nullable(z.string()),
  producer: z.nullable(z.string()),
  producedAt: z.nullable(seconds),
  modifiedAt: z.nullable(seconds),
  warnings: z.array(choice(metadataWarnings)),
})

/** A side of a document. Pages are requested with the bearer token; a PDF is shown as images of its pages. */
const side = z.object({
  fileId: z.string(),
  filename: z.string(),
  pages: z.int(),
  uploadedAt: seconds,
  state: choice(['clean', 'quarantined', 'infected']),
  metadata: z.nullable(fileMetadata),
})

/** One row of the comparison beside the image: the document's value and the client's. */
const comparison = z.object({
  code: choice([
    'surname',
    'givenNames',
    'birthDate',
    'nationality',
    'number',
    'expiry',
    'issue',
    'address',
    'country',
  ]),
  document: z.nullable(z.string()),
  client: z.nullable(z.string()),
  verdict: choice(['ok', 'differs', 'unknown']),
  /** The reader's confidence in the document's value, from 0 to 1; null if a person entered or confirmed it. */
  confidence: z.nullable(z.number()),
})

/** The reading of the image; lines only for staff who may see numbers. */
const zoneReading = z.object({
  state: choice(['waiting', 'read', 'none', 'failed']),
  side: z.nullable(choice(['front', 'back'])),
  page: z.nullable(z.int()),
  lines: z.array(z.string()),
  /** Fields for which a check digit decided between similar readings. */
  chosen: z.array(z.string()),
})

export const officeDocument = z.object({
  id: z.string(),
  version: z.int(),
  kind: choice(documentKinds),
  group: choice(documentGroups),
  state,
  country: z.string(),
  documentNumber: z.string(),
  /** ISO day; for address kinds the day of issue. */
  date: z.string(),
  front: z.nullable(side),
  back: z.nullable(side),
  reason: z.nullable(z.string()),
  sentAt: z.nullable(seconds),
  decidedAt: z.nullable(seconds),
  decidedBy: z.nullable(staffBrief),
  /** Days until it expires, or since it was issued. */
  days: z.int(),
  comparisons: z.array(comparison),
  mrz: z.nullable(
    z.object({ lines: z.array(z.string()), valid: z.boolean(), checkDigitsRight: z.int(), checkDigits: z.int() }),
  ),
  /**
   * Null for kinds without a zone, for decided documents that were never read, and once a person has entered the zone.
   */
  reading: z.nullable(zoneReading),
  /** Other clients with the same document number. */
  elsewhere: otherClients,
  earlierRejections: z.int(),
  checks: z.array(check),
  verbs: z.array(action),
  requiredRoles,
})
export type OfficeDocument = z.output<typeof officeDocument>

export const listDocumentCases = endpoint('listDocumentCases', `GET ${root}/documents`, {
  summary: 'Returns clients with pending documents, ordered by due time.',
  access: readPermissions.documents,
  query: listOf(['sentAt'], { state: z.optional(state), kind: z.optional(choice(documentKinds)) }),
  response: page(
    z.object({
      client: clientBrief,
      documents: z.array(z.object({ id: z.string(), kind: choice(documentKinds), state })),
      sentAt: z.nullable(seconds),
      dueAt: z.nullable(seconds),
      assignee: z.nullable(colleague),
    }),
  ),
})

const { id, version, item, viewers } = recordFields
export const documentCase = z.object({
  id,
  version,
  item,
  viewers,
  client: clientBrief,
  documents: z.array(officeDocument),
  sourceOfWealth: z.object({
    askedAt: z.nullable(seconds),
    refusal: z.nullable(z.object({ code: z.string(), text: z.string() })),
  }),
})

export const getDocumentCase = endpoint('getDocumentCase', `GET ${root}/documents/:id`, {
  summary: 'Returns all documents of one client (identified by the client’s id) with the client’s own entries.',
  access: readPermissions.documents,
  params: clientParams,
  response: z.object({ case: documentCase }),
})

export type DocumentCase = ResponseOf<typeof getDocumentCase>['case']
export type CaseDocument = DocumentCase['documents'][number]

export const documentImage = endpoint('documentPicture', `GET ${root}/files/:id/pages/:page`, {
  summary: 'Returns one page of a client’s file as an image. Auditors must give a reason, which is logged.',
  access: readPermissions.pictures,
  params: z.object({
    id: z.string().check(z.regex(/^[\w-]{1,64}$/, 'not-found')),
    page: z.string().check(z.regex(/^[1-9]\d{0,3}$/, 'not-found')),
  }),
  query: z.strictObject({ reason: lineInQuery(500) }),
  produces: 'image/png',
  problems: ['picture-reason', 'file-damaged', 'file-undisplayable'],
})

export const documentThumbnail = endpoint('documentThumbnail', `GET ${root}/files/:id/thumbnail`, {
  summary: 'Returns a thumbnail of the first page of a client’s file. Auditors must give a reason, which is logged.',
  access: readPermissions.pictures,
  params: paramsOf<'file'>(),
  query: z.strictObject({ reason: lineInQuery(500) }),
  produces: 'image/webp',
  problems: ['picture-reason', 'file-damaged', 'file-undisplayable'],
})

export const documentOriginal = endpoint('documentOriginal', `GET ${root}/files/:id/original`, {
  summary:
    'Downloads a client’s file as it was stored. The download is logged; a file that could not be displayed requires a reason.',
  access: readPermissions.pictures,
  params: paramsOf<'file'>(),
  query: z.strictObject({ reason: lineInQuery(500) }),
  produces: 'application/pdf',
  problems: ['picture-reason', 'file-damaged'],
})

const decision = decisionsOn('documents/record', documentMachine)

export const approveDocument = decision('approveDocument', 'approve', {
  summary: 'Approves one document and notifies the client.',
  body: { note },
  problems: ['file-not-scanned'],
})
export const rejectDocument = decision('rejectDocument', 'reject', {
  summary: 'Rejects one document, or one side of it, with a reason for the client, who can upload it again.',
  body: { reason: clientReason, side: z.optional(choice(['front', 'back'])) },
  problems: ['invalid'],
})
export const requestDocumentAgain = decision('askDocumentAgain', 'askAgain', {
  segment: 'ask-again',
  summary: 'Requests a new upload of one file of an approved document.',
  body: { reason: clientReason, side: z.optional(choice(['front', 'back'])) },
  problems: ['invalid'],
})

/** The lines of a machine-readable zone, as a clerk reads them from the image. Empty lines remove the check. */
export const checkDocumentMrz = endpoint('checkDocumentMrz', `POST ${root}/documents/record/:id/mrz`, {
  summary: 'Compares the machine-readable zone, as entered from the image, with the profile and the document.',
  access: ['compliance', 'administrator'],
  params: paramsOf<'document'>(),
  body: body({
    lines: z
      .array(z.string().check(trimmed, z.toUpperCase(), z.regex(/^[A-Z0-9<]{30,44}$/, 'mrz-invalid')))
      .check(z.maxLength(3, 'mrz-invalid')),
    /** The version of the document in whose image the lines were read; a page of the version before sends none. */
    version: z.optional(shownVersion),
  }),
  response: z.object({ document: officeDocument }),
  problems: ['mrz-invalid', 'own-request', 'stale-page'],
})

export const requestSourceOfWealth = endpoint('askSourceOfWealth', `POST ${root}/documents/:id/source-of-wealth`, {
  summary: 'Requests evidence of source of wealth from the client.',
  access: permissions.askSourceOfWealth,
  params: clientParams,
  body: body({ reason: clientReason }),
  problems: ['erased-already', 'reason-required', 'wealth-asked', 'own-request'],
})
