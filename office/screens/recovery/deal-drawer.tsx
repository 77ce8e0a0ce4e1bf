import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import {
  confirmRecoveryItem,
  dropRecoveryItem,
  getRecovery,
  getRecoveryItem,
  listRecoveryItems,
} from '#contract/office/recovery.ts'
import { Button } from '#ui/forms/button.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { groupedByFour } from '#ui/text/code-format.ts'
import { moneyText } from '#ui/money/money.tsx'
import { Select } from '#ui/forms/select.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { type Confirmation, useConfirmation } from '../../records/confirmation.ts'
import { useDealLabels } from './deal-labels.ts'
import { ProposeAccountDialog } from './account-dialog.tsx'
import { FindingFacts } from './finding-facts.tsx'
import { LineSelect, ProposeLineDialog } from './line-dialog.tsx'
import { ProposePaymentDialog } from './payment-dialog.tsx'
import { ActionSelect, ProposeDialog, type ProposeItemProps } from './propose-dialog.tsx'

type Item = ResponseOf<typeof getRecoveryItem>['item']
type DealAction = 'propose' | 'confirm' | 'drop'

/** One deal of ours that the database lacks, and the decision of two people. */
export function DealDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useLingui()
  const word = useDealLabels()
  const look = useConfirmation<DealAction>()
  const { data, error, refetch } = useEndpoint(getRecoveryItem, { id })
  const item = data?.item
  if (look.open && item) return <DecideDialog action={look.open} item={item} onClose={look.leave} />
  return (
    <Drawer title={item ? word.title(item.kind) : t`Recovery finding`} onClose={onClose}>
      {error && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {item && (
        <div className="stack-6">
          <FindingFacts item={item} />
          <DecisionActions item={item} look={look} />
        </div>
      )}
    </Drawer>
  )
}

function DecisionActions({ item, look }: { item: Item; look: Confirmation<DealAction> }) {
  const { t } = useLingui()
  const refusal = (action: DealAction) => item.verbs.find((one) => one.verb === action)?.refusal ?? null
  const may = (action: DealAction) => refusal(action) === null
  const own = refusal('confirm')
  return (
    <>
      {item.state === 'proposed' && own && own.code !== 'wrong-state' && <p>{own.text}</p>}
      <div className="row wrap">
        {may('drop') && (
          <Button ref={look.opener('drop')} onClick={() => look.ask('drop')}>{t`Cancel proposal…`}</Button>
        )}
        {may('propose') && (
          <Button ref={look.opener('propose')} kind="primary" onClick={() => look.ask('propose')}>
            <Trans>Propose decision…</Trans>
          </Button>
        )}
        {may('confirm') && (
          <Button ref={look.opener('confirm')} kind="primary" onClick={() => look.ask('confirm')}>
            <Trans>Confirm decision…</Trans>
          </Button>
        )}
      </div>
    </>
  )
}

function DecideDialog({ action, item, onClose }: { action: DealAction; item: Item; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { id, version, amount, currency } = item
  // An account that was found is no payment; its amount is its balance.
  const subject =
    item.kind === 'account-found'
      ? `${item.platform} ${groupedByFour(item.accountNumber)}`
      : moneyText({ minor: amount, currency }, i18n.locale)
  const both = { refreshes: [listRecoveryItems, getRecoveryItem, getRecovery], onClose }
  if (action === 'propose' && item.kind === 'checkout-lost')
    return <ProposePaymentDialog item={item} onClose={onClose} />
  if (action === 'propose' && item.kind === 'account-found')
    return <ProposeAccountDialog item={item} onClose={onClose} />
  if (action === 'propose' && item.kind === 'line-missing') return <ProposeLineDialog item={item} onClose={onClose} />
  if (action === 'propose') return <ProposeDealDialog item={item} onClose={onClose} />
  if (action === 'drop')
    return (
      <ActionDialog
        {...both}
        endpoint={dropRecoveryItem}
        input={(reason) => ({ id, version, reason })}
        done={t`The proposal has been cancelled.`}
        title={<Trans>Cancel proposal</Trans>}
        command={<Trans>Cancel proposal</Trans>}
        kind="danger"
      />
    )
  return (
    <ActionDialog
      {...both}
      endpoint={confirmRecoveryItem}
      input={() => ({ id, version })}
      done={t`The decision has been carried out.`}
      title={<Trans>Confirm the decision on {subject}</Trans>}
      command={<Trans>Confirm decision</Trans>}
      reason="none"
    >
      <p>
        <DecisionEffect item={item} />
      </p>
    </ActionDialog>
  )
}

/** Explains the effect of the confirmation. */
function DecisionEffect({ item: { kind, action, accountNumber, client } }: { item: Item }) {
  const { t } = useLingui()
  const number = groupedByFour(accountNumber)
  const isReversed = action === 'reverse'
  if (kind === 'checkout-lost')
    return isReversed
      ? t`The payment will be refunded by the card provider.`
      : t`The payment will be credited to account ${number} once.`
  if (kind === 'account-found')
    return action === 'keep' ? (
      <Trans>Account {number} stays disabled on the platform. No record is created.</Trans>
    ) : (
      <Trans>
        Account {number} is recorded as an account of {client?.name}. It stays disabled until you enable it on the
        platform.
      </Trans>
    )
  if (kind === 'line-missing')
    return <Trans>The bank transaction is recorded as the payment of this deposit. Nothing is credited again.</Trans>
  if (isReversed)
    return <Trans>The opposite deal is sent to the platform. Both deals are recorded in our ledger.</Trans>
  if (kind === 'mismatch') return <MismatchEffect />
  return <Trans>The deal will be recorded in our ledger. Nothing will be sent.</Trans>
}

/** Explains what becomes of a request if the differing deal is adopted. */
function MismatchEffect() {
  return (
    <Trans>
      The deal will be recorded in our ledger. If it differs from the approved request only in the amount, the request
      continues with the requested amount, and the difference is recorded as a correction. If the account differs, or
      the request is not approved yet, the request ends as if the platform had rejected it.
    </Trans>
  )
}

function ProposeDealDialog({ item, onClose }: ProposeItemProps) {
  const { t, i18n } = useLingui()
  const { amount, currency, kind, leg, banks, destinations, lines } = item
  const [bankId, setBank] = useState(banks[0]?.id)
  const [destinationId, setDestination] = useState<string>()
  const [depositType, setDepositType] = useState<'wire' | 'cc_gcen'>('wire')
  const [action, setAction] = useState<'adopt' | 'reverse'>('adopt')
  const [lineId, setLine] = useState(lines.find(({ named }) => named)?.id)
  const isAdopted = action === 'adopt'
  const isLost = isAdopted && kind === 'request-lost'
  const isWire = isAdopted && kind !== 'mismatch' && leg === 'deposit-credit' && depositType === 'wire'
  const named = {
    ...(isLost && leg === 'withdrawal-debit' && bankId ? { bankId } : {}),
    ...(isLost && leg === 'transfer-withdraw' && destinationId ? { destinationId } : {}),
    ...(isLost && leg === 'deposit-credit' ? { depositType } : {}),
    ...(isWire && lineId ? { lineId } : {}),
  }
  return (
    <ProposeDialog
      item={item}
      onClose={onClose}
      subject={moneyText({ minor: amount, currency }, i18n.locale)}
      action={action}
      values={named}
      fields={['action', 'bankId', 'destinationId', 'depositType', 'lineId']}
    >
      {(errors) => (
        <>
          <ActionSelect
            value={action}
            errors={errors}
            onValue={setAction}
            options={{ adopt: t`Adopt: record in our ledger`, reverse: t`Reverse: post the opposite amount` }}
          />
          {!isAdopted && (
            <p className="muted">
              {kind === 'decision-lost'
                ? t`The request for this deal is rejected. The client is notified.`
                : t`The deal and its reversal are recorded in our ledger.`}
            </p>
          )}
          {isAdopted && kind === 'mismatch' && (
            <p className="muted">
              <MismatchEffect />
            </p>
          )}
          {isLost && leg === 'withdrawal-debit' && (
            <Select
              label={t`Bank account of the client`}
              error={errors['bankId']}
              value={bankId ?? ''}
              placeholder={t`Choose a bank account`}
              onChange={(event) => setBank(event.target.value)}
              options={banks.map((bank) => ({ value: bank.id, label: `${bank.name} ${groupedByFour(bank.number)}` }))}
            />
          )}
          {isLost && leg === 'transfer-withdraw' && (
            <Select
              label={t`Credited account`}
              hint={t`Leave this empty if the credit is also in the list.`}
              error={errors['destinationId']}
              value={destinationId ?? ''}
              placeholder={t`From the credit in the list`}
              onChange={(event) => setDestination(event.target.value || undefined)}
              options={destinations.map((one) => ({
                value: one.id,
                label: `${one.platform} ${groupedByFour(one.number)} ${one.currency}`,
              }))}
            />
          )}
          {isLost && leg === 'deposit-credit' && (
            <Select
              label={t`Payment method`}
              error={errors['depositType']}
              value={depositType}
              onChange={(event) => setDepositType(event.target.value as typeof depositType)}
              options={[
                { value: 'wire', label: t`Bank transfer` },
                { value: 'cc_gcen', label: t`Card` },
              ]}
            />
          )}
          {isWire && lines.length > 0 && (
            <LineSelect item={item} lineId={lineId} error={errors['lineId']} onLine={setLine} />
          )}
          {isWire && lines.length === 0 && (
            <p className="muted">
              <Trans>
                No matching bank transactions yet. The one for this deposit will be matched when its bank statement is
                imported.
              </Trans>
            </p>
          )}
        </>
      )}
    </ProposeDialog>
  )
}
