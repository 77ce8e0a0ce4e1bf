import './thumbnail.css'
import type { ReactNode } from 'react'
import { useFileUrl } from '#ui/api/upload.ts'
import { thumbnailPath } from './image-path.ts'

interface ThumbnailProps {
  /** Null if there is none, or if this person may not see it. */
  fileId: string | null
  /** Empty if the text beside it says the same. */
  name?: string
  /** An auditor's reason. */
  reason?: string
  /** Shown until it is loaded, and if it cannot be rendered. */
  children: ReactNode
}

/** A thumbnail of the first page of a client's file. */
export function Thumbnail({ fileId, name = '', reason = '', children }: ThumbnailProps) {
  const { address } = useFileUrl(fileId === null ? null : thumbnailPath(fileId, reason))
  return address ? <img className="thumbnail" src={address} alt={name} /> : children
}
