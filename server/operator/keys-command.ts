/** `operator keys`: what each key stands for, a new one beside it, and an old one away; servers go on meanwhile. */
import { record } from '../db/events.ts'
import { transaction } from '../db/transaction.ts'
import { rotatedPurposes, wrapAnew, type RotatedPurpose } from '../crypto/keys.ts'
import { keyStandings, leadSeconds, retireKey, rotateKey, type KeyStanding } from '../crypto/rotate-keys.ts'
import type { Print } from './command-line.ts'
import { actOf, Refused, textOf, type Ground } from './context.ts'

/** Runs one of its words. Answers whether all is well; throws `Refused` with a sentence. */
export async function keysCommand(ground: Ground, args: readonly string[], print: Print): Promise<boolean> {
  const [word = 'status', what = ''] = args
  if (word === 'status') return status(ground, print)
  if (word === 'rotate') return rotate(ground, what, print)
  if (word === 'retire') return retire(ground, what, print)
  if (word === 'wrap') return wrap(ground, what, print)
  throw new Refused('Say which: status, rotate, retire or wrap.')
}

async function status(ground: Ground, print: Print): Promise<boolean> {
  for (const key of await keyStandings(ground.jobs, ground.now())) print(lineOf(key, ground.now()))
  return true
}

function lineOf(
  { kid, purpose, state, from, createdAt, replacedAt, hanging, metUntil }: KeyStanding,
  now: Date,
): string {
  const since = state === 'coming' ? `used from ${from?.toISOString()}` : `since ${(from ?? createdAt).toISOString()}`
  if (state !== 'replaced') return `${purpose.padEnd(8)} ${kid}  ${state}, ${since}`
  const left =
    hanging > 0
      ? `${hanging} records hang on it`
      : metUntil && metUntil > now
        ? `nothing hangs on it; may be met until ${metUntil.toISOString()}`
        : `nothing hangs on it: npm run operator -- keys retire ${kid}`
  return `${purpose.padEnd(8)} ${kid}  replaced ${replacedAt?.toISOString()}; ${left}`
}

async function rotate(ground: Ground, purpose: string, print: Print): Promise<boolean> {
  if (purpose === 'reference')
    throw new Refused('The reference key is never exchanged: it verifies what stands at platforms and providers.')
  if (!isRotated(purpose)) throw new Refused(`Say which: ${rotatedPurposes.join(', ')}.`)
  const made = await rotateKey(ground.jobs, ground.masterKey, purpose, actOf(ground))
  if ('refused' in made) throw new Refused(made.refused)
  print(`${made.kid} is the ${purpose} key from ${made.from.toISOString()} on, in ${leadSeconds} seconds.`)
  print('The one before opens what it sealed; npm run operator -- keys status says when it can be retired.')
  return true
}

function isRotated(word: string): word is RotatedPurpose {
  return (rotatedPurposes as readonly string[]).includes(word)
}

async function retire(ground: Ground, kid: string, print: Print): Promise<boolean> {
  const refusal = await retireKey(ground.jobs, kid, actOf(ground))
  if (refusal) throw new Refused(refusal.refused)
  print(`${kid} is gone: nothing opens by it any more.`)
  return true
}

async function wrap(ground: Ground, file: string, print: Print): Promise<boolean> {
  const next = Buffer.from((await textOf(file)).trim(), 'base64')
  if (next.equals(ground.masterKey)) throw new Refused(`${file} holds the master key that stands already.`)
  const wrapped = await transaction(ground.jobs, async (tx) => {
    const count = await wrapAnew(tx, ground.masterKey, next)
    await record(tx, actOf(ground), { kind: 'key', verb: 'wrap', details: { keys: count } })
    return count
  })
  print(`${wrapped} keys are wrapped by the master key in ${file} now, and open by no other.`)
  print('Servers that run go on. Let MASTER_KEY_FILE name it and start each anew before the next key is rotated.')
  return true
}
