/** Controls the simulators from the demo page. They are separate processes. */
import type { Dependencies } from '../../dependencies.ts'
import { Problem } from '../../http/problem.ts'

interface MailHead {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly receivedAt: string
}

interface DemoMail extends MailHead {
  readonly html: string
  readonly text: string
}

/** Returns the newest mails, without their bodies. */
export async function recentMails(dependencies: Dependencies): Promise<MailHead[]> {
  return (await asked(dependencies.config.demoPieces.mailboxUrl, '/mails?limit=40')) as MailHead[]
}

/** Returns one mail with its bodies. */
export async function readMail(dependencies: Dependencies, id: string): Promise<DemoMail> {
  if (!/^[\w-]{1,64}$/.test(id)) throw new Problem('not-found')
  return (await asked(dependencies.config.demoPieces.mailboxUrl, `/mails/${id}`)) as DemoMail
}

/** Sets a switch of one simulator (simulators/README.md). */
export async function turnSwitch(
  dependencies: Dependencies,
  turn: { program: string; name: string; body: object },
): Promise<{ done: true }> {
  const { mailboxUrl, mt5SwitchesUrl, mt4SwitchesUrl, cardSwitchesUrl } = dependencies.config.demoPieces
  const programs: Readonly<Record<string, string | null>> = {
    mt5: mt5SwitchesUrl,
    mt4: mt4SwitchesUrl,
    card: cardSwitchesUrl,
    mailbox: mailboxUrl,
  }
  await asked(programs[turn.program] ?? null, `/${turn.name}`, turn.body)
  return { done: true }
}

async function asked(base: string | null, path: string, body?: object): Promise<unknown> {
  if (base === null) throw new Problem('unavailable', { retryAfterSeconds: 5 })
  const sent = body
    ? { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    : {}
  const answered = await fetch(`${base}${path}`, {
    ...sent,
    redirect: 'error',
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null)
  if (!answered) throw new Problem('unavailable', { retryAfterSeconds: 5 })
  if (answered.status === 404) throw new Problem('not-found')
  if (!answered.ok) throw new Problem('check-fields')
  return answered.json()
}
