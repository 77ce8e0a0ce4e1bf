import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import './disclosure.css'

interface DisclosureProps {
  title: ReactNode
  /** On the right of the title, such as a status. */
  end?: ReactNode
  children: ReactNode
  /** With onOpen the parent controls which one is open (Accordion). */
  open?: boolean
  onOpen?: (open: boolean) => void
}

/** A collapsible section with a heading. Its content stays mounted, so that entered text is kept. */
export function Disclosure({ title, end, children, open, onOpen }: DisclosureProps) {
  const id = useId()
  const head = useRef<HTMLButtonElement>(null)
  const [own, setOwn] = useState(false)
  const shown = open ?? own
  const toggle = () => {
    setOwn(!shown)
    onOpen?.(!shown)
    // Another section above may collapse and scroll it out of view.
    requestAnimationFrame(() => head.current?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <section className="disclosure">
      <h2 className="title-3">
        <button ref={head} type="button" aria-expanded={shown} aria-controls={id} onClick={toggle}>
          <span className="grow">{title}</span>
          {end}
          <IconChevronDown className="disclosure-mark" aria-hidden="true" />
        </button>
      </h2>
      <div id={id} className="disclosure-body" hidden={!shown}>
        {children}
      </div>
    </section>
  )
}

interface AccordionProps {
  sections: readonly { key: string; title: ReactNode; end?: ReactNode; children: ReactNode }[]
  initial?: string | null
}

/** Several sections of which at most one is open; `initial` is the key of the initially open one. */
export function Accordion({ sections, initial = null }: AccordionProps) {
  const [openKey, setOpenKey] = useState(initial)
  return (
    <div className="accordion">
      {sections.map(({ key, title, end, children }) => (
        <Disclosure
          key={key}
          title={title}
          end={end}
          open={key === openKey}
          onOpen={(open) => setOpenKey(open ? key : null)}
        >
          {children}
        </Disclosure>
      ))}
    </div>
  )
}
