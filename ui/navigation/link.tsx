import { type ComponentPropsWithRef, createContext, type MouseEvent, useContext } from 'react'
import { useLocation, useRouter } from 'wouter'

/** Loads the code of the screen at a path; both apps provide their own (routes.tsx). */
export const PrefetchContext = createContext<(path: string) => void>(() => undefined)

export interface LinkProps extends Omit<ComponentPropsWithRef<'a'>, 'href'> {
  /** A path inside the app (of portal-paths or office-paths), or a full URL. */
  href: string
  /** Replaces the history entry instead of adding one. */
  replace?: boolean
}

/** A link; inside the app it navigates without a page load, and prefetches code on hover and focus. */
export function Link({ href, replace, onClick, ...rest }: LinkProps) {
  const prefetch = useContext(PrefetchContext)
  const { base } = useRouter()
  const [, navigate] = useLocation()
  const inside = href.startsWith('/') && rest.target !== '_blank' && rest.download === undefined
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !inside || !plain) return
    event.preventDefault()
    navigate(href, { replace: Boolean(replace) })
  }
  const warm = inside ? () => prefetch(href) : undefined
  return (
    <a
      {...(rest.target === '_blank' ? { rel: 'noopener noreferrer' } : {})}
      {...rest}
      href={inside ? base + href : href}
      onClick={follow}
      onMouseEnter={warm}
      onFocus={warm}
    />
  )
}
