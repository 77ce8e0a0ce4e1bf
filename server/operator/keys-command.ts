/** `operator keys`: what each key stands for, a new one beside it, and an old one away; servers go on meanwhile. */
import { recordEvent } from '../db/events.ts'
import { transaction } from '../db/transaction.ts'
import { rotatedPurposes, rewrap, type RotatedPurpose } from '../crypto/keys.ts'
import { keyStatuses, leadSeconds, retireKey, rotateKey, type KeyStatus } from '../crypto/rotate-keys.ts'
import type { Print } from './command-line.ts'
import { auditContextOf, CommandError, textOf, type OperatorContext } from './context.ts'

/** Runs one of its words. Answers whether all is well; throws `Refused` with a sentence. */
export async function keysCommand(context: OperatorContext, args: readonly string[], print: Print): Promise<boolean> {
  const [word = 'status', what = ''] = args
  if (word === 'status') return status(context, print)
  if (word === 'rotate') return rotate(context, what, print)
  if (word === 'retire') return retire(context, what, print)
  if (word === 'wrap') return wrap(context, what, print)
  throw new CommandError('Say which: status, rotate, retire or wrap.')
}

async function status(context: OperatorContext, print: Print): Promise<boolean> {
  for (const key of await keyStatuses(context.jobs, context.now())) print(lineOf(key, context.now()))
  return true
}

function lineOf({ kid, purpose, state, from, createdAt, replacedAt, hanging, metUntil }: KeyStatus, now: Date): string {
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

async function rotate(context: OperatorContext, purpose: string, print: Print): Promise<boolean> {
  if (purpose === 'reference')
    throw new CommandError('The reference key is never exchanged: it verifies what stands at platforms and providers.')
  if (!isRotated(purpose)) throw new CommandError(`Say which: ${rotatedPurposes.join(', ')}.`)
  const made = await rotateKey(context.jobs, context.masterKey, purpose, auditContextOf(context))
  if ('refused' in made) throw new CommandError(made.refused)
  print(`${made.kid} is the ${purpose} key from ${made.from.toISOString()} on, in ${leadSeconds} seconds.`)
  print('The one before opens what it sealed; npm run operator -- keys status says when it can be retired.')
  return true
}

function isRotated(word: string): word is RotatedPurpose {
  return (rotatedPurposes as readonly string[]).includes(word)
}

async function retire(context: OperatorContext, kid: string, print: Print): Promise<boolean> {
  const refusal = await retireKey(context.jobs, kid, auditContextOf(context))
  if (refusal) throw new CommandError(refusal.refused)
  print(`${kid} is gone: nothing opens by it any more.`)
  return true
}

async function wrap(context: OperatorContext, file: string, print: Print): Promise<boolean> {
  const next = Buffer.from((await textOf(file)).trim(), 'base64')
  if (next.equals(context.masterKey)) throw new CommandError(`${file} holds the master key that stands already.`)
  const wrapped = await transaction(context.jobs, async (tx) => {
    const count = await rewrap(tx, context.masterKey, next)
    await recordEvent(tx, auditContextOf(context), { kind: 'key', action: 'wrap', details: { keys: count } })
    return count
  })
  print(`${wrapped} keys are wrapped by the master key in ${file} now, and open by no other.`)
  print('Servers that run go on. Let MASTER_KEY_FILE name it and start each anew before the next key is rotated.')
  return true
}
