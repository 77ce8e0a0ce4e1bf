import { documentImage } from '#contract/office/documents.ts'

/** Returns the address of one page of a client's file as a picture; an auditor gives a written reason. */
export function imagePath(fileId: string, page: number, reason = ''): string {
  const path = documentImage.path.replace(':id', encodeURIComponent(fileId)).replace(':page', String(page))
  return reason === '' ? path : `${path}?${new URLSearchParams({ reason })}`
}
