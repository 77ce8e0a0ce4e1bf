/** `operator keys`: lists the keys and their use, adds a new key, and retires an old one while servers run. */
import { recordEvent } from '../db/events.ts'
import { transaction } from '../db/sql.ts'
import { rotatedPurposes, rewrapKeys, type RotatedPurpose } from '../crypto/keys.ts'
import { keyStatuses, leadSeconds, retireKey, rotateKey, type KeyStatus } from '../crypto/rotate-keys.ts'
import type { Print } from './command-line.ts'
import { auditContextOf, CommandError, textOf, type OperatorContext } from './context.ts'

/** Runs one of its subcommands. Returns whether it succeeded; throws `CommandError` with a sentence. */
export async function keysCommand(context: OperatorContext, args: readonly string[], print: Print): Promise<boolean> {
  const [word = 'status', what = ''] = args
  if (word === 'status') return printKeyStatuses(context, print)
  if (word === 'rotate') return rotate(context, what, print)
  if (word === 'retire') return retire(context, what, print)
  if (word === 'wrap') return changeMasterKey(context, what, print)
  throw new CommandError('Enter status, rotate, retire or wrap.')
}

async function printKeyStatuses(context: OperatorContext, print: Print): Promise<boolean> {
  for (const key of await keyStatuses(context.jobs, context.now())) print(keyStatusText(key, context.now()))
  return true
}

function keyStatusText(
  { kid, purpose, state, from, createdAt, replacedAt, hanging, metUntil }: KeyStatus,
  now: Date,
): string {
  const since = state === 'coming' ? `used from ${from?.toISOString()}` : `since ${(from ?? createdAt).toISOString()}`
  if (state !== 'replaced') return `${purpose.padEnd(8)} ${kid}  ${state}, ${since}`
  const left =
    hanging > 0
      ? `records that still use it: ${hanging}`
      : metUntil && metUntil > now
        ? `not used by any record; accepted until ${metUntil.toISOString()}`
        : `not used by any record: npm run operator -- keys retire ${kid}`
  return `${purpose.padEnd(8)} ${kid}  replaced ${replacedAt?.toISOString()}; ${left}`
}

async function rotate(context: OperatorContext, purpose: string, print: Print): Promise<boolean> {
  if (purpose === 'reference')
    throw new CommandError(
      'The reference key cannot be rotated. It verifies references stored at platforms and providers.',
    )
  if (!isRotated(purpose)) throw new CommandError(`Enter one of: ${rotatedPurposes.join(', ')}.`)
  const made = await rotateKey(context.jobs, context.masterKey, purpose, auditContextOf(context))
  if ('refused' in made) throw new CommandError(made.refused)
  print(`${made.kid} will be the ${purpose} key from ${made.from.toISOString()}, in ${leadSeconds} seconds.`)
  print('The previous key still decrypts existing data. Check npm run operator -- keys status before you retire it.')
  return true
}

function isRotated(word: string): word is RotatedPurpose {
  return (rotatedPurposes as readonly string[]).includes(word)
}

async function retire(context: OperatorContext, kid: string, print: Print): Promise<boolean> {
  const refusal = await retireKey(context.jobs, kid, auditContextOf(context))
  if (refusal) throw new CommandError(refusal.refused)
  print(`${kid} has been removed.`)
  return true
}

async function changeMasterKey(context: OperatorContext, file: string, print: Print): Promise<boolean> {
  const next = Buffer.from((await textOf(file)).trim(), 'base64')
  if (next.equals(context.masterKey)) throw new CommandError(`${file} contains the current master key.`)
  const wrapped = await transaction(context.jobs, async (tx) => {
    const count = await rewrapKeys(tx, context.masterKey, next)
    await recordEvent(tx, auditContextOf(context), { kind: 'key', action: 'wrap', details: { keys: count } })
    return count
  })
  print(`${wrapped} keys have been re-encrypted under the master key in ${file}.`)
  print(
    'Running servers continue. Set MASTER_KEY_FILE to this file and restart each server before you rotate another key.',
  )
  return true
}
