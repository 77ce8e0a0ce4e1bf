import { useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'

/** Opens a page's confirmation for `?decide=a`, which the inbox’s keys set. The URL alone decides nothing. */
export function useActionFromUrl(ask: (key: string) => void): void {
  const [path, navigate] = useLocation()
  const asked = new URLSearchParams(useSearch()).get('decide')
  const done = useRef(false)
  useEffect(() => {
    if (asked === null || done.current) return
    done.current = true
    navigate(path, { replace: true })
    ask(asked)
  }, [asked, ask, navigate, path])
}
