/** Open positions and pending orders, as the platform has them now. */
import type { getOpenPositions as endpoint } from '#contract/trading-history.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import type { Handler } from '../../http/register-endpoint.ts'
import { historyOf, namedAccount } from './queries.ts'

export const getOpenPositions: Handler<typeof endpoint> = async (dependencies, context) => {
  const { id, platform, login } = await namedAccount(dependencies, context)
  const { state } = await historyOf(dependencies, platform, id)
  const { history } = dependencies.platforms[platform]
  const nothing = { history: state, readAt: null, positions: [], orders: [], totals: { swap: 0n, profit: 0n } }
  if (history === null) return nothing
  try {
    const zone = await history.zone()
    const { positions, orders } = await history.positions([login])
    const ours = (ms: number) => new Date(zone.ours(ms))
    return {
      history: state,
      readAt: context.now,
      positions: positions.map(({ login: _login, time, ...position }) => ({ ...position, openedAt: ours(time) })),
      orders: orders.map(({ login: _login, time, ...order }) => ({ ...order, placedAt: ours(time) })),
      totals: {
        swap: positions.reduce((sum, { swap }) => sum + swap, 0n),
        profit: positions.reduce((sum, { profit }) => sum + profit, 0n),
      },
    }
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    dependencies.log.debug({ account: id, problem: String(error) }, 'positions not read')
    return nothing
  }
}
