import './thumbnail.css'
import type { ReactNode } from 'react'
import { useFileAddress } from '#ui/api/upload.ts'
import { thumbnailPath } from './image-path.ts'

interface ThumbnailProps {
  /** Null where there is none, or where this person may not see it. */
  fileId: string | null
  /** Empty where text beside it says the same. */
  name?: string
  /** Why an auditor looks. */
  reason?: string
  /** Shown until it is there, and where it cannot be drawn. */
  children: ReactNode
}

/** The first page of a client's file, small. */
export function Thumbnail({ fileId, name = '', reason = '', children }: ThumbnailProps) {
  const { address } = useFileAddress(fileId === null ? null : thumbnailPath(fileId, reason))
  return address ? <img className="thumbnail" src={address} alt={name} /> : children
}
