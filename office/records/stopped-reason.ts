import { useLingui } from '@lingui/react/macro'
import type { MoneyChannel } from '#rules/recovery.ts'
import { useStaff } from '../session.ts'

/** Returns why a payment action is disabled while recovery has stopped its channel; undefined if it is enabled. */
export function useStoppedReason(channel: MoneyChannel): string | undefined {
  const { t } = useLingui()
  const { moneyStopped } = useStaff()
  return moneyStopped?.[channel] ? t`Recovery is in progress. This is available again once it is complete.` : undefined
}
