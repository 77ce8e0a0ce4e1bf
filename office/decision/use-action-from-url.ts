import { useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'

/** The inbox hands on its keys: a page opened with `?decide=a` opens the confirmation. An address alone decides nothing. */
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
