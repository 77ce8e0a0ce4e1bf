import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { changeQuery } from '#ui/navigation/url-state.ts'

/**
 * Returns which form of a page is open, and functions to open and close one. `?open=invite` opens it, as the command
 * palette's actions do; the URL alone sends nothing.
 */
export function useFormFromUrl<Name extends string>(
  allowed: readonly Name[],
): [Name | null, (name: Name | null) => void] {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const asked = new URLSearchParams(search).get('open')
  const [open, setOpen] = useState<Name | null>(null)
  const names = useRef(allowed)
  names.current = allowed
  useEffect(() => {
    if (asked === null) return
    setOpen(names.current.find((name) => name === asked) ?? null)
    navigate(path + changeQuery(search, { open: undefined }), { replace: true })
  }, [asked, navigate, path, search])
  return [open, setOpen]
}
