import { Trans } from '@lingui/react/macro'
import { zoneText } from '#rules/trading-days.ts'
import { platformNames } from './platform-names.ts'
import type { AccountSource } from './account-source.ts'

/** A sentence that names the clock of the page's days, which differs from that of its times (requirements 24.1). */
export function TradingDayNote({ source: { address, clockMinutes } }: { source: AccountSource }) {
  const name = platformNames[address.platform]
  if (clockMinutes === null) return <Trans>Days are trading days in {name} server time.</Trans>
  const zone = zoneText(clockMinutes)
  return (
    <Trans>
      Days are trading days in {name} server time (currently {zone}).
    </Trans>
  )
}
