/** Platform groups: a row for each kind of account, with the name of its group on the server. */
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { clientStatusLabels } from '#contract/office/role-labels.ts'
import { clientStatuses } from '#rules/choices.ts'
import { accountTypes, platforms } from '#rules/constants.ts'
import { currencies } from '#rules/money.ts'
import { realms } from '#rules/platform-groups.ts'
import { Disclosure } from '#ui/data/disclosure.tsx'
import { Button } from '#ui/forms/button.tsx'
import { Select } from '#ui/forms/select.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { listAt, textAt, useDraft, type Json } from '../draft.ts'
import { Fields, focusAt, WithValueInForce, TextAt } from '../fields.tsx'
import { countryName } from '../../../decision/country-name.ts'

export function PlatformGroupsForm() {
  const { t } = useLingui()
  return platforms.flatMap((platform) =>
    realms.map((realm) => (
      <section key={`${platform} ${realm}`} className="stack-2">
        <h2 className="title-3">{realm === 'real' ? t`${platform}, live accounts` : t`${platform}, demo accounts`}</h2>
        <GroupRows platform={platform} realm={realm} />
      </section>
    )),
  )
}

function GroupRows({ platform, realm }: { platform: string; realm: string }) {
  const { value, errors, locked, set } = useDraft()
  const [openRow, setOpenRow] = useState<number | null>(null)
  const title = useGroupRowTitle()
  const rows = listAt(value, 'rows')
  const own = rows.flatMap((row, place) =>
    textAt(row, 'platform') === platform && textAt(row, 'realm') === realm ? [{ row, place }] : [],
  )
  const blank = { platform, realm, type: 'Standard', currency: 'EUR', status: 'retail', country: '', group: '' }
  return (
    <>
      {own.map(({ row, place }) => (
        <Disclosure
          key={place}
          title={title(row)}
          end={<span className="muted unbroken">{textAt(row, 'group')}</span>}
          open={place === openRow || Object.keys(errors).some((path) => path.startsWith(`rows.${place}.`))}
          onOpen={(open) => setOpenRow(open ? place : null)}
        >
          <Fields>
            <GroupRowFields path={`rows.${place}`} />
            <p>
              <button
                type="button"
                className="text-button"
                onClick={() =>
                  set(
                    'rows',
                    rows.filter((_, at) => at !== place),
                  )
                }
              >
                <Trans>Remove this row</Trans>
              </button>
            </p>
          </Fields>
        </Disclosure>
      ))}
      {!locked && (
        <Button
          size="small"
          onClick={() => {
            set('rows', [...rows, blank])
            setOpenRow(rows.length)
            focusAt(`rows.${rows.length}.group`)
          }}
        >
          <Trans>Add row</Trans>
        </Button>
      )}
    </>
  )
}

function GroupRowFields({ path }: { path: string }) {
  const { t } = useLingui()
  const label = useLabels(clientStatusLabels)
  return (
    <div className="stack">
      <TextAt path={`${path}.group`} label={t`Group on the server`} />
      <div className="columns-2">
        <ChoiceAt path={`${path}.type`} label={t`Account type`} choices={accountTypes} />
        <ChoiceAt path={`${path}.currency`} label={t`Currency`} choices={currencies} />
        <ChoiceAt
          path={`${path}.status`}
          label={t`Client category`}
          choices={clientStatuses}
          words={Object.fromEntries(clientStatuses.map((status) => [status, label(status)]))}
        />
        <TextAt
          path={`${path}.country`}
          label={t`Country`}
          optional
          hint={t`Country code. Leave empty for all countries.`}
        />
      </div>
    </div>
  )
}

interface ChoiceAtProps {
  path: string
  label: string
  choices: readonly string[]
  words?: Readonly<Record<string, string>>
}

function ChoiceAt({ path, label, choices, words = {} }: ChoiceAtProps) {
  const { value, errors, set } = useDraft()
  return (
    <WithValueInForce path={path}>
      <Select
        label={label}
        error={errors[path]}
        options={choices.map((choice) => ({ value: choice, label: words[choice] ?? choice }))}
        value={textAt(value, path)}
        onChange={(event) => set(path, event.target.value as Json)}
      />
    </WithValueInForce>
  )
}

/** "Standard · EUR · Retail · Germany" */
function useGroupRowTitle(): (row: Json) => string {
  const { t, i18n } = useLingui()
  return (row) => {
    const country = textAt(row, 'country')
    const status = textAt(row, 'status') === 'professional' ? t`Professional` : t`Retail`
    const facts = [textAt(row, 'type'), textAt(row, 'currency'), status]
    return [...facts, ...(country === '' ? [] : [countryName(country, i18n.locale)])].join('\u00A0· ')
  }
}
