import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { OfficeClient } from '#contract/office/clients.ts'
import { officePaths } from '#contract/office-paths.ts'
import { deviceHours, type LinkKind } from '#rules/linked-clients.ts'
import { Link } from '#ui/navigation/link.tsx'

/** Other clients with the same data, and what it is; a device alone is a hint and no warning. */
export function LinkedClients({ linked: { count, clients } }: { linked: OfficeClient['linked'] }) {
  const { t, i18n } = useLingui()
  const words: Readonly<Record<LinkKind, string>> = {
    bank: t`same bank account`,
    phone: t`same phone number`,
    address: t`same address`,
    document: t`same document number`,
    device: t`same network and browser within ${deviceHours} hours`,
  }
  if (count === 0) return <Trans>None</Trans>
  if (clients === null) return <Plural value={count} one="# client" other="# clients" />
  const list = new Intl.ListFormat(i18n.locale, { type: 'unit' })
  const left = count - clients.length
  return (
    <>
      {clients.map(({ id, name, kinds }) => (
        <p key={id}>
          <Link href={officePaths.client(id)}>{name}</Link>
          <br />
          <span className={kinds.some((kind) => kind !== 'device') ? 'tone-wait' : 'muted'}>
            {list.format(kinds.map((kind) => words[kind]))}
          </span>
        </p>
      ))}
      {left > 0 && (
        <p className="muted">
          <Plural value={left} one="and # more" other="and # more" />
        </p>
      )}
    </>
  )
}
