import { Trans, useLingui } from '@lingui/react/macro'
import { getDemoAccounts, getLiveAccounts, requestAnAccount } from '#contract/accounts.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { RequestType } from '#rules/choices.ts'
import { accountTypes, demoBalances, platforms } from '#rules/constants.ts'
import { leveragesFor } from '#rules/leverage.ts'
import { currencies } from '#rules/money.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { ApiError } from '#ui/api/api-error.ts'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { leverageText } from '#ui/text/code-format.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { Select } from '#ui/forms/select.tsx'
import { numberFormat } from '#ui/text/formats.ts'
import { useLocation } from 'wouter'
import { useMoneyStopped } from '../../portal-settings.ts'
import type { Client } from '../../session.ts'

const formId = 'request-account'

interface Choices {
  requestType: RequestType
  platform: (typeof platforms)[number] | ''
  accType: (typeof accountTypes)[number] | ''
  baseCurrency: (typeof currencies)[number] | ''
  leverage: string
  balance: string
}

interface RequestAccountDialogProps {
  initial: RequestType
  client: Client
  onClose: () => void
}

/** New account: live and demo differ in one field; each missing choice is reported (requirements 7.3). */
export function RequestAccountDialog({ initial, client, onClose }: RequestAccountDialogProps) {
  const { t, i18n } = useLingui()
  const [, navigate] = useLocation()
  const stopped = useMoneyStopped()
  const leverages = leveragesFor(client.clientStatus === 'professional' ? 'professional' : 'retail')
  const form = useFormValues<Choices>({
    requestType: initial,
    platform: '',
    accType: '',
    baseCurrency: '',
    leverage: leverages.length === 1 ? String(leverages[0]) : '',
    balance: '',
  })
  const { values } = form
  const request = useEndpointMutation(requestAnAccount, {
    refreshes: [getLiveAccounts, getDemoAccounts],
    onDone: () => {
      showToast(() => t`You have successfully requested a new account.`)
      onClose()
      navigate(values.requestType === 'demo' ? portalPaths.demoAccounts : portalPaths.tradingAccounts, {
        replace: true,
      })
    },
    onFailure: (failure) => form.refuse(failure),
  })
  const missing = () => ({
    ...(values.platform === '' && { platform: t`Choose a platform.` }),
    ...(values.accType === '' && { accType: t`Choose an account type.` }),
    ...(values.baseCurrency === '' && { baseCurrency: t`Choose a base currency.` }),
    ...(values.leverage === '' && { leverage: t`Choose a leverage.` }),
    ...(values.requestType === 'demo' && values.balance === '' && { balance: t`Choose a starting balance.` }),
  })
  const send = () => {
    if (form.sayErrors(missing)) return
    const { requestType, platform, accType, baseCurrency } = values
    if (platform === '' || accType === '' || baseCurrency === '') return
    const leverage = leverages.find((choice) => String(choice) === values.leverage)
    const balance = demoBalances.find((choice) => String(choice) === values.balance)
    if (leverage === undefined) return
    request.mutate({
      userId: client.id,
      requestType,
      platform,
      accType,
      baseCurrency,
      leverage: leverage as 30,
      ...(requestType === 'demo' && balance !== undefined ? { balance } : {}),
    })
  }
  const showsServerError = request.error && Object.keys(form.errors).filter((name) => name !== 'server').length === 0
  return (
    <Dialog
      title={t`Request an account`}
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={formId} pending={request.isPending}>
            {values.requestType === 'demo' ? <Trans>Open demo account</Trans> : <Trans>Request account</Trans>}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form.ref} noValidate className="stack-6 request-account" onSubmit={submitHandler(send)}>
        <RadioCards
          label={t`Live or demo`}
          across={2}
          short
          tiles={[
            { value: 'live', label: t`Live`, note: t`Opens after we approve it.` },
            { value: 'demo', label: t`Demo`, note: t`Opens immediately with virtual funds.` },
          ]}
          {...form.choice('requestType')}
        />
        <RadioCards
          label={t`Platform`}
          across={2}
          short
          tiles={platforms.map((platform) => ({ value: platform, label: platform }))}
          {...form.choice('platform')}
        />
        <RadioCards
          label={t`Account type`}
          across={2}
          short
          tiles={accountTypes.map((type) => ({ value: type, label: type }))}
          {...form.choice('accType')}
        />
        <RadioCards
          label={t`Base currency`}
          across={3}
          short
          tiles={currencies.map((currency) => ({ value: currency, label: currency }))}
          {...form.choice('baseCurrency')}
        />
        {leverages.length === 1 ? (
          <p className="fixed-fact">
            <b className="strong">{t`Leverage`}</b> <span className="numbers">{leverageText(leverages[0] ?? 0)}</span>
            <span className="muted size-14">{t`The leverage for retail clients.`}</span>
          </p>
        ) : (
          <Select
            label={t`Leverage`}
            placeholder={t`Choose`}
            required
            options={leverages.map((leverage) => ({ value: String(leverage), label: leverageText(leverage) }))}
            name="leverage"
            value={values.leverage}
            error={form.errors['leverage']}
            onChange={(event) => form.set({ leverage: event.target.value })}
          />
        )}
        {values.requestType === 'demo' && (
          <Select
            label={t`Starting balance`}
            placeholder={t`Choose`}
            required
            options={demoBalances.map((balance) => ({
              value: String(balance),
              label: `${numberFormat(i18n.locale).format(balance)} ${values.baseCurrency}`.trim(),
            }))}
            name="balance"
            value={values.balance}
            error={form.errors['balance']}
            onChange={(event) => form.set({ balance: event.target.value })}
          />
        )}
        {stopped?.accounts && (
          <Alert kind="wait">
            <Trans>We are checking our records. You can request an account now. We will open it after the check.</Trans>
          </Alert>
        )}
        {showsServerError && (
          <Alert kind="bad">{request.error instanceof ApiError ? request.error.error : t`Something went wrong!`}</Alert>
        )}
      </form>
    </Dialog>
  )
}
