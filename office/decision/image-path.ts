import { documentPicture } from '#contract/office/documents.ts'

/** The address of one page of a client's file as a picture; an auditor gives a written reason. */
export function picturePath(fileId: string, page: number, reason = ''): string {
  const path = documentPicture.path.replace(':id', encodeURIComponent(fileId)).replace(':page', String(page))
  return reason === '' ? path : `${path}?${new URLSearchParams({ reason })}`
}
