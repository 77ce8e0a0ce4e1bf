import { Trans } from '@lingui/react/macro'
import { portalPaths } from '#contract/portal-paths.ts'
import { Link } from '#ui/navigation/link.tsx'
import type { Client } from '../session.ts'

/** Name and client status; links to the profile for an approved client. */
export function ClientIdentity({ client }: { client: Client }) {
  const status =
    client.clientStatus === 'professional' ? <Trans>Professional Client</Trans> : <Trans>Retail Client</Trans>
  const words = (
    <>
      <b className="strong">
        {client.name} {client.surname}
      </b>
      <small>{status}</small>
    </>
  )
  if (client.status !== 'approved') return <span className="portal-who">{words}</span>
  return (
    <Link href={portalPaths.profile} className="portal-who">
      {words}
    </Link>
  )
}
