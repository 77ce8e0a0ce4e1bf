import { useEffect, useRef } from 'react'

/** A reload while a request was under way: the same goes under the same key, and so tells what became of it. */
export function useSendAfterReload(sent: boolean, send: () => Promise<void>): void {
  const due = useRef(sent)
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
    if (!due.current) return
    due.current = false
    void latest.current()
  }, [send])
}
