import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { BankLineDetails } from '#contract/office/bank-lines.ts'
import { getOfficeClient, searchClients } from '#contract/office/clients.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { Time } from '#ui/text/time.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { ListSearch } from '../../records/list-tools.tsx'
import { MatchReasons } from '../deposits/match-reasons.tsx'

/** The target of the money: an announced deposit, or an account if nothing was announced. */
export interface LineTarget {
  depositId?: string
  accountId?: string
  clientId: string
  client: string
  account: string
}

interface LineTargetsProps {
  found: BankLineDetails
  value: LineTarget | null
  onValue: (target: LineTarget) => void
}

export function LineTargets({ found, value, onValue }: LineTargetsProps) {
  const { t } = useLingui()
  const [elsewhere, setElsewhere] = useState(false)
  return (
    <RecordSection title={<Trans>Suggested deposits</Trans>}>
      <div className="stack">
        {found.suggestions.length > 0 ? (
          <Suggestions found={found} value={value} onValue={onValue} />
        ) : (
          <p className="muted">{t`No matching expected deposits.`}</p>
        )}
        {elsewhere ? (
          <OtherAccount currency={found.line.currency} value={value} onValue={onValue} />
        ) : (
          <Button size="small" onClick={() => setElsewhere(true)}>{t`Another account…`}</Button>
        )}
      </div>
    </RecordSection>
  )
}

function Suggestions({ found, value, onValue }: LineTargetsProps) {
  const { t } = useLingui()
  return (
    <div className="matches" role="radiogroup" aria-label={t`Suggested deposits`}>
      {found.suggestions.map(
        ({ depositId, client, accountNumber, amount, currency, reference, announcedAt, reasons, difference }) => (
          <label key={depositId} className="match">
            <input
              type="radio"
              name="target"
              checked={value?.depositId === depositId}
              onChange={() =>
                onValue({ depositId, clientId: client.id, client: client.name, account: groupedByFour(accountNumber) })
              }
            />
            <span className="match-words">
              <span className="match-head">
                <span>{client.name}</span>
                <Money amount={{ minor: amount, currency }} />
              </span>
              <span className="muted numbers">
                {groupedByFour(accountNumber)} · <span className="unbroken">{reference}</span> ·{' '}
                <Time at={announcedAt} />
              </span>
              <MatchReasons reasons={reasons} difference={difference} currency={currency} />
            </span>
          </label>
        ),
      )}
    </div>
  )
}

interface OtherAccountProps {
  currency: string
  value: LineTarget | null
  onValue: (target: LineTarget) => void
}

/** An approved live account in the transaction's currency, found by its client. */
function OtherAccount({ currency, value, onValue }: OtherAccountProps) {
  const { t } = useLingui()
  const [words, setWords] = useState('')
  const [clientId, setClientId] = useState('')
  const clients = useEndpoint(searchClients, { q: words, size: '10' }, { enabled: words !== '' })
  const client = useEndpoint(getOfficeClient, { id: clientId }, { enabled: clientId !== '' })
  const accounts = client.data?.client.accounts.filter(
    (one) => one.requestType === 'live' && one.state === 'approved' && one.currency === currency,
  )
  return (
    <div className="stack-2">
      <ListSearch
        words={words}
        onWords={(typed) => {
          setWords(typed)
          setClientId('')
        }}
        label={t`Name, client number or account`}
        begins
      />
      {clients.data && clientId === '' && (
        <div className="row wrap">
          {clients.data.rows.map(({ client: one }) => (
            <Button key={one.id} size="small" onClick={() => setClientId(one.id)}>
              {one.name} · {one.number}
            </Button>
          ))}
          {clients.data.rows.length === 0 && <p className="muted">{t`No matching clients.`}</p>}
        </div>
      )}
      {accounts && (
        <div className="matches" role="radiogroup" aria-label={t`Accounts`}>
          {accounts.map((account) => (
            <label key={account.id} className="match">
              <input
                type="radio"
                name="target"
                checked={value?.accountId === account.id}
                onChange={() =>
                  onValue({
                    accountId: account.id,
                    clientId,
                    client: client.data?.client.client.name ?? '',
                    account: groupedByFour(account.number ?? ''),
                  })
                }
              />
              <span className="match-words">
                <span className="match-head">
                  <span>{client.data?.client.client.name}</span>
                  <Money
                    amount={
                      account.balance.amount === null
                        ? null
                        : { minor: account.balance.amount, currency: account.currency }
                    }
                  />
                </span>
                <span className="muted numbers">
                  {account.platform} · {groupedByFour(account.number ?? '')}
                </span>
              </span>
            </label>
          ))}
          {accounts.length === 0 && <p className="muted">{t`This client has no open account in ${currency}.`}</p>}
        </div>
      )}
    </div>
  )
}
