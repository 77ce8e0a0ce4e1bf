/** Sign-ins compared with only their password hash, and their effect on other calls. */
import { verify } from '@node-rs/argon2'
import { getTransferHistory } from '#contract/history.ts'
import { login } from '#contract/users-session.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import type { BenchContext } from './context.ts'
import { httpLoad, rawRequest } from './http-load.ts'
import { benchPassword, clientToken } from './users.ts'
import { measureRate, measureAlternately } from './rate.ts'
import { resultWithMaximum, resultWithShare, type Result } from './results.ts'

const leastShare = 0.8
const slowerMax = 2
const connections = 8
const hashesAtOnce = 4
const clientCount = 1_000

export async function benchSignIns({ server, superuser, ...ground }: BenchContext, seconds: number): Promise<Result[]> {
  const port = Number(new URL(server.url).port)
  // Every client uses a separate address.
  const requests = Array.from({ length: clientCount }, (_, number) =>
    rawRequest(
      login.method,
      login.path,
      { 'user-agent': 'bench', 'x-forwarded-for': `10.1.${number >> 8}.${number & 255}` },
      { email: `bench-${number + 1}@example.com`, password: benchPassword },
    ),
  )
  const kept = await hashPassword(benchPassword)
  const refused: number[] = []
  const { product, baseline } = await measureAlternately(
    seconds,
    async (slice) => {
      const report = await httpLoad({ port, requests, connections, seconds: slice })
      refused.push(report.refused)
      return report.perSecond
    },
    (slice) => measureRate(slice, hashesAtOnce, () => verify(kept, benchPassword)),
  )
  const lost = refused.reduce((sum, one) => sum + one, 0)
  if (lost > 0) throw new Error(`${lost} sign-ins of the bench were refused.`)

  const client = await superuser.query<{ id: string }>(`select id from clients where email = 'bench-2@example.com'`)
  const token = await clientToken({ server, superuser, ...ground }, client.rows[0]?.id ?? '')
  const list = [rawRequest('GET', `${getTransferHistory.path}?list=deposits`, { authorization: `Bearer ${token}` })]
  const others = { port, requests: list, connections: 2, pauseMs: 10, seconds: seconds / 2 }
  const alone = await httpLoad(others)
  const [meanwhile] = await Promise.all([
    httpLoad(others),
    httpLoad({ port, requests, connections, seconds: seconds / 2 }),
  ])
  return [
    resultWithShare('sign-ins', product, baseline, leastShare, 'argon2id alone'),
    resultWithMaximum(
      '  p95 of other calls meanwhile',
      meanwhile.p95Ms / alone.p95Ms,
      slowerMax,
      'times',
      `${alone.p95Ms.toFixed(1)} ms alone, ${meanwhile.p95Ms.toFixed(1)} ms meanwhile`,
    ),
  ]
}
