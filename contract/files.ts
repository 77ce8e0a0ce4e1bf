/** Uploads and the signed links of files (requirements 6.10, 6.12). */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { body, storedFileProblems } from './fields.ts'
import { filename } from './documents.ts'

export const upload = endpoint('upload', 'POST /upload', {
  summary:
    'Uploads one file in the multipart field “file”: JPEG, PNG, WebP or PDF, identified by its content, at most 15 MB.',
  access: ['client'],
  consumes: 'multipart',
  status: 201,
  response: z.object({ filename: z.string(), url: z.string(), mediaType: z.string(), size: z.int() }),
  problems: [
    'application-refused',
    'file-missing',
    'file-many',
    'upload-slow',
    ...storedFileProblems,
    'file-quota',
    'body-type',
    'too-many',
  ],
})

export const fileLink = endpoint('fileLink', 'POST /api/files/link', {
  summary: 'Returns a new signed link to one of the client’s own files.',
  access: ['client'],
  body: body({ filename }),
  response: z.object({ filename: z.string(), url: z.string() }),
  problems: ['not-found'],
})

/** The file of a signed link; also available with the owner's bearer token. Returns bytes, never cached. */
export const publicFilePath = '/public/files/:filename'
