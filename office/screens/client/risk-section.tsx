import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { setFlag } from '#contract/office/client-decisions.ts'
import { getOfficeClient, isActionAllowed, type OfficeClient } from '#contract/office/clients.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { clientFlagLabels } from '#contract/office/flag-labels.ts'
import { clientFlags, type ClientFlag } from '#rules/choices.ts'
import { listFormat } from '#ui/text/formats.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { Time } from '#ui/text/time.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { officePaths } from '#contract/office-paths.ts'
import { deviceHours, type LinkKind } from '#rules/linked-clients.ts'
import { Link } from '#ui/navigation/link.tsx'

/** Risk factors: country, nationality, flags, other clients with the same data. */
export function RiskSection({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const sets = isActionAllowed(client, 'setFlag')
  const { country, nationality } = client.risk
  const { identityApprovedAt, addressApprovedAt } = client.approval
  const { secondFactorSince } = client.security
  return (
    <section>
      <div className="row between">
        <h2>{t`Risk`}</h2>
        {sets && <button type="button" className="text-button" onClick={() => setOpen(true)}>{t`Change flags`}</button>}
      </div>
      <DescriptionList
        rows={[
          { key: <Trans>PEP, sanctions</Trans>, value: <FlagLines client={client} /> },
          {
            key: <Trans>Country</Trans>,
            value: (
              <Trans>
                {country.name}, level {country.level}
              </Trans>
            ),
          },
          nationality && {
            key: <Trans>Nationality</Trans>,
            value: (
              <Trans>
                {nationality.name}, level {nationality.level}
              </Trans>
            ),
          },
          { key: <Trans>Linked clients</Trans>, value: <LinkedClients linked={client.linked} /> },
          { key: <Trans>Identity</Trans>, value: <Approved at={identityApprovedAt} /> },
          { key: <Trans>Address</Trans>, value: <Approved at={addressApprovedAt} /> },
          {
            key: <Trans>2FA</Trans>,
            value: client.security.secondFactor ? (
              <Trans>
                On since <Time at={secondFactorSince} form="day" />
              </Trans>
            ) : (
              <Trans>Off</Trans>
            ),
          },
        ]}
      />
      {open && <FlagDialog client={client} onClose={() => setOpen(false)} />}
    </section>
  )
}

function Approved({ at }: { at: Date | null }) {
  const { t } = useLingui()
  if (!at) return <span className="tone-wait">{t`Not approved yet`}</span>
  return (
    <Trans>
      Approved <Time at={at} form="day" />
    </Trans>
  )
}

function FlagLines({ client }: { client: OfficeClient }) {
  const word = useLabels(clientFlagLabels)
  const { flags } = client.risk
  if (flags.length === 0) return <Trans>No flag</Trans>
  return flags.map(({ flag, note, setBy, setAt }) => (
    <p key={flag}>
      <span className={flag === 'watch' ? 'tone-wait' : 'tone-bad'}>{word(flag)}</span>: {note}
      <br />
      <span className="muted">
        {setBy.name}, <Time at={setAt} form="day" />
      </span>
    </p>
  ))
}

function FlagDialog({ client, onClose }: { client: OfficeClient; onClose: () => void }) {
  const { t } = useLingui()
  const word = useLabels(clientFlagLabels)
  // What was chosen counts, even if a colleague changes the flag in the meantime.
  const [change, setChange] = useState<{ flag: ClientFlag; set: boolean } | null>(null)
  const [unchosen, setUnchosen] = useState(false)
  const isSet = (one: ClientFlag) => client.risk.flags.some((current) => current.flag === one)
  const notes: Readonly<Record<ClientFlag, string>> = {
    pep: t`A politically exposed person or a close associate`,
    sanction: t`On a sanctions list. This client cannot be approved.`,
    watch: t`Requires enhanced monitoring`,
  }
  return (
    <ActionDialog
      endpoint={setFlag}
      input={(note) => {
        setUnchosen(change === null)
        return change && { id: client.id, ...change, note }
      }}
      refreshes={[getOfficeClient, getClientEvents]}
      done={t`The flags have been changed.`}
      title={<Trans>Set or clear flags of {client.client.name}</Trans>}
      command={change?.set === false ? <Trans>Clear flag</Trans> : <Trans>Set flag</Trans>}
      onClose={onClose}
    >
      <RadioCards
        label={t`Flag`}
        value={change?.flag ?? null}
        error={unchosen && !change ? t`Choose a flag.` : undefined}
        onValue={(flag) => setChange({ flag, set: !isSet(flag) })}
        tiles={clientFlags.map((one) => ({
          value: one,
          label: word(one),
          note: notes[one],
          end: isSet(one) ? <span className="tag wait">{t`set now`}</span> : undefined,
        }))}
      />
    </ActionDialog>
  )
}

function LinkedClients({ linked: { count, clients } }: { linked: OfficeClient['linked'] }) {
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
  const list = listFormat(i18n.locale, { type: 'unit' })
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
