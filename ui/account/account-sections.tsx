import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getTradingAccount } from '#contract/trading-history.ts'
import { AccountStatements } from './account-statements.tsx'
import { ClosedTrades } from './closed-trades.tsx'
import { EquityCurve } from './equity-curve.tsx'
import { OpenPositions, type OpenPositionsProps } from './open-positions.tsx'

interface AccountSectionsProps extends Pick<OpenPositionsProps, 'source' | 'pushed' | 'closeBy'> {
  page: ResponseOf<typeof getTradingAccount>
  /** Where the trades are that only the terminal shows. */
  inTerminal: ReactNode
}

/**
 * The sections below the balances, depending on the status of the account's trade history. Statements are shown
 * whatever the status of the platform (requirements 24.34).
 */
export function AccountSections({ source, page, pushed, closeBy, inTerminal }: AccountSectionsProps) {
  const { t } = useLingui()
  const { baseCurrency: currency, figuresOld, figuresHeld, closed } = page.account
  return (
    <>
      {page.history === 'in-terminal' && (
        <section className="account-part">
          <h2>{t`Positions and trades`}</h2>
          <p className="muted size-14">{inTerminal}</p>
        </section>
      )}
      {(page.history === 'kept' || page.history === 'reading') && (
        <>
          <EquityCurve source={source} page={page} />
          <OpenPositions
            source={source}
            currency={currency}
            pushed={pushed}
            silent={figuresOld && figuresHeld === null}
            closed={closed}
            closeBy={closeBy}
          />
          <ClosedTrades source={source} currency={currency} />
        </>
      )}
      {!page.demo && <AccountStatements source={source} />}
    </>
  )
}
