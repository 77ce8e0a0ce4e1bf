import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { confirmRequest, getRequestsToConfirm } from '#contract/confirmations.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { Money } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Time } from '#ui/text/time.tsx'
import { Codes } from '#ui/text/codes.tsx'

type Request = ResponseOf<typeof getRequestsToConfirm>['requests'][number]

/** Requests that the client must confirm again, each with its button. */
export function RequestsToConfirm({ requests }: { requests: readonly Request[] }) {
  return (
    <Alert kind="wait" title={<Trans>Confirm your open requests</Trans>}>
      <p>
        <Trans>
          After a technical problem, some of your latest changes may have been lost. Confirm a request to continue.
        </Trans>{' '}
        {requests.some(({ kind }) => kind === 'withdrawal' || kind === 'transfer') && (
          <Trans>To cancel a withdrawal or transfer, open it in Transactions History.</Trans>
        )}
      </p>
      <ul className="requests-to-confirm">
        {requests.map((request) => (
          <li key={`${request.kind} ${request.id}`} className="row between wrap">
            <RequestFacts request={request} />
            <ConfirmButton request={request} />
          </li>
        ))}
      </ul>
    </Alert>
  )
}

function RequestFacts({ request }: { request: Request }) {
  const { t } = useLingui()
  const kinds: Readonly<Record<Request['kind'], string>> = {
    withdrawal: t`Withdrawal`,
    transfer: t`Internal transfer`,
    account: t`Trading account`,
    leverage_request: t`Leverage`,
    bank_details: t`Bank details`,
    profile_change: t`Profile change`,
    professional: t`Professional client status`,
  }
  const { amount, currency, reference, requestedAt } = request
  return (
    <span>
      {kinds[request.kind]}
      {amount !== null && currency !== null && (
        <>
          {' '}
          <Money amount={{ minor: amount, currency }} />
        </>
      )}
      {reference !== null && <Codes>{` · ${reference}`}</Codes>} · <Time at={requestedAt} />
    </span>
  )
}

function ConfirmButton({ request: { kind, id } }: { request: Request }) {
  const { t } = useLingui()
  const mutation = useEndpointMutation(confirmRequest, {
    refreshes: [getRequestsToConfirm],
    onDone: () => showToast(() => t`Thank you. We will continue with this request.`),
    onFailure: (failure) => showToast(() => failure.error, { kind: 'bad' }),
  })
  return (
    <Button size="small" pending={mutation.isPending} onClick={() => mutation.mutate({ kind, id })}>
      <Trans>Confirm request</Trans>
    </Button>
  )
}
