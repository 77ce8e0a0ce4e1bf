/** The behaviour of the adapter of every trading platform, whatever its protocol; the tests of each adapter run it. */
import { describe, expect, test, vi } from 'vitest'
import { hourMs } from '#rules/dates.ts'
import type { RunningSimulator } from './start-simulator.ts'
import { tlsProxy } from './tls-proxy.ts'
import {
  type Rejected,
  Unavailable,
  Unknown,
  type TradingServer,
} from '#server/integrations/trading-platform/trading-server.ts'
import { moneyOf, dealsOf, waitForDelayedCall, newOperationRef } from './trading-platform.ts'

export interface TestedPlatform {
  readonly simulator: RunningSimulator
  readonly platform: TradingServer
  /** Connects another adapter to an address. */
  connected(options: { url: string; ca?: string }): TradingServer
  /** Opens an account in EUR with this balance. */
  account(funds?: number): Promise<string>
  readonly group: string
  /** The call that opens accounts. */
  readonly openPath: string
  /** The platform's rejections, each with the error that the adapter must throw. */
  readonly refusals: readonly (readonly [object, typeof Rejected | typeof Unavailable | typeof Unknown])[]
  /** The kinds of responses that cannot be read. */
  readonly garbage: readonly string[]
  /** Changes these fields in responses about an operation, until reset; a field that is null is not sent. */
  garbleOperation(ticket: string, fields: { comment: unknown; amount?: string }): Promise<unknown>
}

export function testTradingPlatform(place: TestedPlatform): void {
  const apply = (login: string, ref = newOperationRef()) =>
    place.platform.applyBalance({ ref, login, amount: moneyOf(10), checkMargin: true })
  const listed = (login: string) => {
    const now = Date.now()
    return place.platform.balanceOperations(login, new Date(now - hourMs), new Date(now + hourMs))
  }
  const find = (login: string, ref: string) => place.platform.findBalanceOperation(login, ref, new Date())

  test('an account opening without a response has an unknown outcome, and the account is found by reference', async () => {
    await place.simulator.turn('drop-after', { path: place.openPath })
    const { group } = place
    const request = { ref: newOperationRef(), group, name: 'A', email: 'a@b.c', country: 'France', leverage: 30 }
    const opened = place.platform.createAccount({ ...request, main: 'Ab1=|\\xy#', investor: 'Ab1=|\\xy#' })
    await expect(opened).rejects.toThrow(Unknown)
    const search = { groups: [group], sentAt: new Date(), known: async () => new Set<string>() }
    expect(await place.platform.findAccountByRef(request.ref, search)).not.toBeNull()
  })

  describe('a balance operation', () => {
    test.each(place.refusals)('rejected with %j throws the error that decides on retries', async (refusal, failure) => {
      const login = await place.account()
      await place.simulator.turn('refuse', { ...refusal, login })
      await expect(apply(login)).rejects.toThrow(failure)
      expect(await dealsOf(place.simulator, login)).toHaveLength(0)
    })

    test.each([
      ['drop-before', 0],
      ['drop-after', 1],
    ])(
      'whose connection is cut (%s) has an unknown outcome, and its reference shows whether it was applied',
      async (fault, applied) => {
        const [login, ref] = [await place.account(), newOperationRef()]
        await place.simulator.turn(fault, { login })
        await expect(apply(login, ref)).rejects.toThrow(Unknown)
        const found = await find(login, ref)
        const deals = await dealsOf(place.simulator, login)
        expect(deals).toMatchObject(found === null ? [] : [{ ticket: found.ticket, comment: ref }])
        expect(deals).toHaveLength(applied)
      },
    )

    test.each(place.garbage)(
      'with an unreadable response (%s) has an unknown outcome and is found by reference',
      async (kind) => {
        const [login, ref] = [await place.account(100), newOperationRef()]
        await place.simulator.turn('garble', { kind, login })
        await expect(apply(login, ref)).rejects.toThrow(Unknown)
        expect(await find(login, ref)).not.toBeNull()
      },
    )

    test.each([null, 17])(
      'whose comment is %j may be any operation, so a search by reference fails; its amount is still read',
      async (comment) => {
        const [login, ref] = [await place.account(), newOperationRef()]
        const { ticket } = await apply(login, ref)
        await place.garbleOperation(ticket, { comment })
        expect(await listed(login)).toMatchObject([{ ticket, comment: null, amount: moneyOf(10) }])
        // Null would mean that it was not carried out, and it would be sent again.
        for (const one of [ref, newOperationRef()]) await expect(find(login, one)).rejects.toThrow('cannot be read')
      },
    )

    test('whose comment is empty is not one of ours, even if its amount cannot be read', async () => {
      const login = await place.account()
      const { ticket } = await apply(login)
      await place.garbleOperation(ticket, { comment: '', amount: '1e400' })
      expect(await listed(login)).toMatchObject([{ ticket, comment: '', amount: null }])
      expect(await find(login, newOperationRef())).toBeNull()
    })

    test('and an account opening are not sent once their time has passed (requirements 24.294)', async () => {
      const [login, ref] = [await place.account(), newOperationRef()]
      const late = { sendBy: 0 }
      const balance = { ref, login, amount: moneyOf(10), checkMargin: true }
      await expect(place.platform.applyBalance({ ...balance, ...late })).rejects.toThrow(Unavailable)
      expect(await dealsOf(place.simulator, login)).toHaveLength(0)
      const opening = { ref, group: place.group, name: 'A', email: 'a@b.c', country: 'France', leverage: 30 }
      const passwords = { main: 'Ab1=|\\xy#', investor: 'Ab1=|\\xy#' }
      await expect(place.platform.createAccount({ ...opening, ...passwords, ...late })).rejects.toThrow(Unavailable)
      const search = { groups: [place.group], sentAt: new Date(), known: async () => new Set<string>() }
      expect(await place.platform.findAccountByRef(ref, search)).toBeNull()
    })

    test('applied to another login or amount has an unknown outcome', async () => {
      const [login, other] = [await place.account(100), await place.account(100)]
      await place.simulator.turn('misapply', { login: other })
      await expect(apply(login)).rejects.toThrow(Unknown)
      await place.simulator.turn('misapply', { amount: '11.00' })
      await expect(apply(login)).rejects.toThrow(Unknown)
    })

    test('without a response before the time-out has an unknown outcome', async () => {
      const login = await place.account()
      await place.simulator.turn('slow', { ms: hourMs, login })
      const time = new AbortController()
      const bound = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
      const told = expect(apply(login)).rejects.toThrow(Unknown)
      await waitForDelayedCall(place.simulator)
      expect(bound).toHaveBeenCalledWith(10_000)
      bound.mockRestore()
      time.abort()
      await told
    })
  })

  test('the adapter connects over TLS and only to a trusted certificate', async () => {
    const front = await tlsProxy(place.simulator.port)
    const url = `https://localhost:${front.port}`
    const [trusting, careful] = [place.connected({ url, ca: front.certificate }), place.connected({ url })]
    await trusting.health()
    await expect(careful.health()).rejects.toThrow(Unavailable)
    await Promise.all([trusting.close(), careful.close()])
    front.stop()
  })
}
