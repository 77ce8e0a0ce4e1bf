/** The proof of an entry or override by staff, in Base64. */
import * as z from 'zod/mini'
import { uploadBytesMax } from '#rules/constants.ts'
import { atMost, line } from '../fields.ts'

const base64Max = Math.ceil(uploadBytesMax / 3) * 4

export const proofFile = z.object({
  filename: line(255),
  content: z.string('required').check(
    z.minLength(1, 'required'),
    atMost(base64Max),
    z.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'invalid'),
    z.refine((text) => text.length % 4 === 0, 'invalid'),
  ),
})

/** For a request with such a file besides its other fields. */
export const proofBodyBytesMax = base64Max + 100_000
