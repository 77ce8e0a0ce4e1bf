import { Plural } from '@lingui/react/macro'
import type { OtherClients as Others } from '#contract/office/briefs.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Link } from '#ui/navigation/link.tsx'

/** Clients with the same number as this one: by name for compliance and administrators, as a count for others. */
export function OtherClients({ others: { count, clients } }: { others: Others }) {
  if (clients === null) return <Plural value={count} one="# client" other="# clients" />
  const left = count - clients.length
  return (
    <ul className="other-clients">
      {clients.map(({ id, name, number }) => (
        <li key={id}>
          <Link href={officePaths.client(id)}>{name}</Link> <span className="muted numbers">{number}</span>
        </li>
      ))}
      {left > 0 && (
        <li className="muted">
          <Plural value={left} one="and # more" other="and # more" />
        </li>
      )}
    </ul>
  )
}
