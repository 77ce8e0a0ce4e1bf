/** Documents of identity and address (requirements 6). */
import * as z from 'zod/mini'
import { documentKinds, documentMachine } from '#rules/documents.ts'
import { endpoint } from './endpoint.ts'
import { body, choice, countryCode, fileName, id, line, seconds, wholeNumber } from './fields.ts'
import { userId } from './users-session.ts'

/** A stored file's name, as returned by the upload. */
export const filename = fileName('front-required', 'file-unknown')

const slotStatus = z.nullable(choice(['uploaded', 'pending_approval', 'approved', 'rejected', 'expired']))

export const documentRecord = z.object({
  id: z.string(),
  country: z.string(),
  documentNumber: z.string(),
  expiryDay: z.int(),
  expiryMonth: z.int(),
  expiryYear: z.int(),
  documentFront: z.nullable(z.string()),
  documentBack: z.nullable(z.string()),
  documentFrontUrl: z.nullable(z.string()),
  documentBackUrl: z.nullable(z.string()),
  statusFront: slotStatus,
  statusBack: slotStatus,
  uploaded: z.boolean(),
  status: choice(documentMachine.states),
  /** The reason of a rejection for the client; a slot's own reason if staff requested only one file again. */
  reason: z.nullable(z.string()),
  reasonFront: z.nullable(z.string()),
  reasonBack: z.nullable(z.string()),
  /**
   * Why a saved document cannot be sent: since then it expired, its country's level changed, or a file was found
   * infected.
   */
  blockedReason: z.nullable(z.string()),
  sentAt: z.nullable(seconds),
  decidedAt: z.nullable(seconds),
})

export const getDocuments = endpoint('getDocuments', 'GET /api/users/getDocuments/:id', {
  summary: 'Returns the client’s documents, keyed by type.',
  access: ['client'],
  params: z.object({ id }),
  response: z.object({
    documents: z.partialRecord(choice(documentKinds), documentRecord),
    sourceOfWealthAsked: z.boolean(),
    identityApproved: z.boolean(),
    addressApproved: z.boolean(),
    gcenApiDocsSubmitted: z.boolean(),
  }),
})

export const saveDocuments = endpoint('saveDocuments', 'POST /api/users/saveDocuments', {
  summary: 'Saves one document with its uploaded files. For proof-of-address types, the date is the date of issue.',
  access: ['client'],
  body: body({
    userId,
    documentType: choice(documentKinds),
    data: body({
      userId,
      country: countryCode,
      documentNumber: line(64),
      expiryDay: wholeNumber(1, 31, 'date-invalid', 'expiry-date-required'),
      expiryMonth: wholeNumber(1, 12, 'date-invalid', 'expiry-date-required'),
      expiryYear: wholeNumber(1900, 2200, 'date-invalid', 'expiry-date-required'),
      documentFront: z.optional(filename),
      documentBack: z.optional(z.nullable(filename)),
    }),
  }),
  response: z.object({ document: documentRecord }),
  problems: [
    'required',
    'expiry-date-required',
    'date-invalid',
    'document-locked',
    'document-approved',
    'application-refused',
    'wealth-not-asked',
    'document-not-accepted',
    'document-expired',
    'issue-in-future',
    'issue-too-old',
    'front-required',
    'back-required',
    'file-unknown',
    'unknown-value',
  ],
})

export const documentsApproval = endpoint('documentsApproval', 'POST /api/gcen/documentsApproval', {
  summary: 'Submits the uploaded documents for approval.',
  access: ['client'],
  body: body({ userId }),
  response: z.object({ token: z.optional(z.string()) }),
  problems: [
    'application-refused',
    'identity-missing',
    'address-missing',
    'document-not-accepted',
    'document-expired',
    'issue-too-old',
    'file-infected',
    'nothing-to-send',
    'send-failed',
  ],
})
