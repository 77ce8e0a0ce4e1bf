import { IconClockHour4, IconDots, IconMailOff } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import { isActionAllowed, type OfficeClient } from '#contract/office/clients.ts'
import { clientFlagLabels } from '#contract/office/flag-labels.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Button } from '#ui/forms/button.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { Menu } from '#ui/overlays/menu.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { ItemAssignment, QueuePosition } from '../../decision/record-page.tsx'
import { useFormFromUrl } from '../../records/use-form-from-url.ts'
import { useCanDo } from '../../session.ts'
import { ClientActionDialog, type ClientActionName } from './client-actions.tsx'

/** The client's name and status, with the actions on the right. */
export function ClientHead({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const { number, name, clientStatus } = client.client
  const { country } = client.risk
  const waiting = client.waiting.length
  return (
    <header className="client-head">
      <div>
        <div className="row wrap">
          <p className="section-name numbers">{t`Client ${number}`}</p>
          {client.item && <QueuePosition kind="client" record={client.id} />}
        </div>
        <h1>{name}</h1>
        <div className="row wrap">
          <StatusBadge record="client" state={client.state} />
          <span className="tag">
            {clientStatus === 'professional' ? <Trans>Professional Client</Trans> : <Trans>Retail Client</Trans>}
          </span>
          <span className={country.level >= 4 ? 'tag wait' : 'tag'}>
            <Trans>
              {country.name} · level {country.level}
            </Trans>
          </span>
          <Flags client={client} />
          {client.hold && <span className="tag wait">{t`Payments on hold`}</span>}
          {client.mailRefusedAt && (
            <span className="tag bad">
              <IconMailOff className="small" aria-hidden="true" />
              <Trans>Emails are rejected</Trans>
            </span>
          )}
          {waiting > 0 && (
            <span className="tag wait">
              <IconClockHour4 className="small" aria-hidden="true" />
              <Plural value={waiting} one="# pending request" other="# pending requests" />
            </span>
          )}
        </div>
        {client.item && <ItemAssignment record={client} />}
      </div>
      <ClientCommands client={client} />
    </header>
  )
}

function Flags({ client }: { client: OfficeClient }) {
  const word = useLabels(clientFlagLabels)
  return client.risk.flags.map(({ flag, note }) => (
    <span key={flag} className={flag === 'watch' ? 'tag wait' : 'tag bad'} title={note}>
      {word(flag)}
    </span>
  ))
}

const closureBlockCodes: readonly string[] = ['requests-open', 'discrepancy-open', 'money-left']

/** Only the actions that this person may take now. */
function ClientCommands({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const exportsEvidence = useCanDo('exportEvidence')
  const answersAccess = useCanDo('answerAccessRequest')
  const [, navigate] = useLocation()
  const may = (action: string) => isActionAllowed(client, action)
  const action = (name: string) => client.verbs.some((one) => one.verb === name && one.refusal === null)
  const [open, setOpen] = useFormFromUrl<ClientActionName>([
    ...(action('suspend') ? ['suspend' as const] : []),
    ...(exportsEvidence ? ['evidence' as const] : []),
  ])
  // The dialog shows balances and requests that prevent it.
  const closes = client.verbs.some(
    ({ verb: name, refusal }) => name === 'close' && (refusal === null || closureBlockCodes.includes(refusal.code)),
  )
  const rare = [
    may('sendResetLink') && { key: 'reset', label: t`Send reset link…`, onAction: () => setOpen('reset') },
    may('askSourceOfWealth') && {
      key: 'wealth',
      label: t`Request source of wealth…`,
      onAction: () => setOpen('wealth'),
    },
    !client.hold &&
      may('holdPayments') && { key: 'hold', label: t`Put payments on hold…`, onAction: () => setOpen('hold') },
    may('payLastBalance') && {
      key: 'lastBalance',
      label: t`Pay out last balance…`,
      onAction: () => setOpen('lastBalance'),
    },
    closes && { key: 'close', label: t`Close relationship…`, onAction: () => setOpen('close') },
    answersAccess && {
      key: 'access',
      label: t`Answer access request…`,
      onAction: () => navigate(officePaths.accessRequest(client.id)),
    },
    may('askErasure') && { key: 'erase', label: t`Request erasure…`, onAction: () => setOpen('erase') },
  ].filter((entry) => entry !== false)
  return (
    <div className="row wrap">
      {may('signOutClient') && <Button onClick={() => setOpen('signOut')}>{t`Sign out everywhere`}</Button>}
      {exportsEvidence && <Button onClick={() => setOpen('evidence')}>{t`Evidence bundle`}</Button>}
      {action('reactivate') && <Button onClick={() => setOpen('reactivate')}>{t`Reactivate…`}</Button>}
      {action('suspend') && <Button kind="danger" onClick={() => setOpen('suspend')}>{t`Suspend…`}</Button>}
      {rare.length > 0 && (
        <Menu name={t`More about this client`} face={<IconDots aria-hidden="true" />} entries={rare} />
      )}
      {open && <ClientActionDialog client={client} action={open} onClose={() => setOpen(null)} />}
    </div>
  )
}
