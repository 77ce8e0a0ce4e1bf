import { IconShieldCheck } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { verifyAudit } from '#contract/office/records.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'
import { useMayDo } from '../../session.ts'

/** Verifies the chain and shows the first altered entry. */
export function VerifyButton() {
  const { t } = useLingui()
  const may = useMayDo('verifyAudit')
  const mutation = useEndpointMutation(verifyAudit)
  if (!may) return null
  return (
    <>
      <Button
        kind="primary"
        icon={<IconShieldCheck className="small" aria-hidden="true" />}
        pending={mutation.isPending}
        onClick={() => mutation.mutate({})}
      >
        <Trans>Verify</Trans>
      </Button>
      {(mutation.data || mutation.error) && (
        <Dialog
          title={t`Audit log verification`}
          onClose={mutation.reset}
          actions={<Button kind="primary" onClick={mutation.reset}>{t`Done`}</Button>}
        >
          {mutation.error ? (
            <ErrorPanel failure={mutation.error} />
          ) : (
            mutation.data && <Outcome outcome={mutation.data} />
          )}
        </Dialog>
      )}
    </>
  )
}

function Outcome({ outcome }: { outcome: ResponseOf<typeof verifyAudit> }) {
  const { t } = useLingui()
  const { whole, checked, lastNumber, lastHash, at, first, epochs } = outcome
  const words = { altered: t`has been changed`, missing: t`is missing`, added: t`has been added` }
  return (
    <div className="stack">
      <Alert
        kind={whole ? 'ok' : 'bad'}
        title={whole ? t`Audit log verified. No changes found.` : t`Audit log verification failed.`}
      >
        {first && (
          <p>
            <Trans>
              First affected entry: {first.number} ({words[first.what]}). Later entries cannot be verified.
            </Trans>
          </p>
        )}
      </Alert>
      {epochs.map(({ epoch, afterNumber, at: began }) => (
        <Alert
          key={epoch}
          kind="wait"
          title={
            <Trans>
              The log continues after entry {afterNumber} with the recovery of <Time at={began} />
            </Trans>
          }
        >
          <Trans>Entries made after it and before the data loss are not in this log.</Trans>
        </Alert>
      ))}
      <DescriptionList
        rows={[
          { key: <Trans>Verified entries</Trans>, value: checked },
          { key: <Trans>Last number</Trans>, value: lastNumber },
          { key: <Trans>Last hash</Trans>, value: <code>{lastHash ?? '–'}</code> },
          ...epochs.map(({ afterNumber, afterHash }) => ({
            key: <Trans>Hash of entry {afterNumber}</Trans>,
            value: <code>{afterHash}</code>,
          })),
          { key: <Trans>Computed</Trans>, value: <Time at={at} form="exact" /> },
        ]}
      />
    </div>
  )
}
