import { documentImage, documentThumbnail } from '#contract/office/documents.ts'

/** Returns the URL path of one page of a client's file as an image; an auditor gives a written reason. */
export function imagePath(fileId: string, page: number, reason: string): string {
  return withReason(documentImage.path.replace(':page', String(page)), fileId, reason)
}

/** Returns the URL path of the first page as a thumbnail. */
export function thumbnailPath(fileId: string, reason: string): string {
  return withReason(documentThumbnail.path, fileId, reason)
}

function withReason(route: string, fileId: string, reason: string): string {
  const path = route.replace(':id', encodeURIComponent(fileId))
  return reason === '' ? path : `${path}?${new URLSearchParams({ reason })}`
}
