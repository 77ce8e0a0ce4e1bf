import { useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { portalPaths } from '#contract/portal-paths.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { FailedResult } from '../../funding/failed-result.tsx'
import { TransferSuccess } from './transfer-success.tsx'
import { TransferWizard } from './transfer-wizard.tsx'

/** The last step is in the URL, so that a reload shows it again. */
const addressSchema = z.object({ result: z.optional(z.enum(['success', 'failed'])) })

/** Internal Transfer between own accounts (requirements 10.1). */
export default function InternalTransfer() {
  const { t } = useLingui()
  const [{ result }] = useUrlState(addressSchema)
  if (result === 'success') return <TransferSuccess />
  if (result === 'failed')
    return (
      <FailedResult
        at="transfer"
        page={t`Internal transfer`}
        title={t`TRANSFER FAILED!`}
        again={portalPaths.internalTransfer}
        means={t`No money was moved.`}
      />
    )
  return <TransferWizard />
}
