/** Declares and parses the operator's commands. Unknown arguments are rejected, so that a typing error does nothing. */
import { parseArgs } from 'node:util'
import type { Config } from '../config/config.ts'
import { CommandError, type OperatorContext } from './context.ts'

export type Print = (line: string) => void

/** An option of a command. With `value` it has one, shown so in the help; without, it is a switch. */
interface Option {
  readonly value?: string
  /** The command cannot run without it. */
  readonly isRequired?: boolean
  readonly meaning?: string
}

/** The parsed arguments: options by name, words by position. */
export interface ParsedArguments {
  /** Returns the value of an option; empty if it is absent. */
  text(name: string): string
  has(name: string): boolean
  /** Returns the word at a position; empty if it is absent. */
  word(place: number): string
}

interface Usage {
  /** The description in the help, one line each. */
  readonly does: readonly string[]
  /** The meaning of its words, in their order; other words are rejected. */
  readonly words?: readonly string[]
  readonly options?: Readonly<Record<string, Option>>
  /** Returns whether the action cannot be undone: then it requires --yes. */
  readonly isForGood?: (given: ParsedArguments) => boolean
}

export interface Command extends Usage {
  run(context: OperatorContext, given: ParsedArguments, print: Print): Promise<boolean>
}

/** A command that needs no open database, keys and settings. */
export interface BareCommand extends Usage {
  bare(config: Config, print: Print, given: ParsedArguments): Promise<boolean>
}

/** Asks at a terminal; returns whether the person confirmed. */
export type ConfirmPrompt = (question: string) => Promise<boolean>

/**
 * Reads a command's arguments. An action that cannot be undone is confirmed at a terminal, and requires --yes without
 * one. Throws `CommandError` for an unknown argument, and if the confirmation is missing.
 */
export async function readArguments(
  name: string,
  command: Usage,
  args: readonly string[],
  ask: ConfirmPrompt | null,
): Promise<ParsedArguments | 'help'> {
  if (args.includes('--help') || args.includes('-h')) return 'help'
  const { values, positionals } = parseArguments(name, command, args)
  const words = command.words ?? []
  const extra = positionals[words.length]
  if (extra !== undefined)
    throw new CommandError(`"${extra}" is not an argument of this command.\n\n${helpOf(name, command)}`)
  const missing = Object.entries(command.options ?? {}).find(([option, one]) => one.isRequired && !values[option])
  if (missing) throw new CommandError(`Add --${missing[0]} ${missing[1].value}.\n\n${helpOf(name, command)}`)
  const given: ParsedArguments = {
    text: (option) => (typeof values[option] === 'string' ? values[option] : ''),
    has: (option) => values[option] !== undefined,
    word: (place) => positionals[place] ?? '',
  }
  if (command.isForGood?.(given) && !given.has('yes')) {
    if (ask === null)
      throw new CommandError(
        `Nothing was done. This cannot be undone. Add --yes to continue.\n\n${helpOf(name, command)}`,
      )
    const commandText = [name, ...args].join(' ')
    if (!(await ask(`"${commandText}" cannot be undone. Enter yes to continue: `)))
      throw new CommandError('Nothing was done.')
  }
  return given
}

function parseArguments(name: string, command: Usage, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options ?? {}).map(([option, { value }]) => [
      option,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  const withYes = command.isForGood ? { ...options, yes: { type: 'boolean' as const } } : options
  try {
    const read = parseArgs({ args: args.map(markAsWord), options: withYes, strict: true, allowPositionals: true })
    const values: Record<string, unknown> = Object.fromEntries(
      Object.entries(read.values).map(([option, value]) => [
        option,
        typeof value === 'string' ? unmarkWord(value) : value,
      ]),
    )
    return { values, positionals: read.positionals.map(unmarkWord) }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new CommandError(`${error.message}\n\n${helpOf(name, command)}`)
  }
}

/** Every option has two dashes: with one dash it is a word, such as the id of a key. */
const markAsWord = (arg: string) => (/^-[^-]/.test(arg) ? `\0${arg}` : arg)
const unmarkWord = (word: string) => word.replace('\0', '')

/** Returns the help of one command. */
export function helpOf(name: string, command: Usage): string {
  const words = (command.words ?? []).map((word) => `<${word}>`)
  const options = Object.entries(command.options ?? {}).map(([option, { value }]) =>
    value === undefined ? `[--${option}]` : `--${option} ${value}`,
  )
  const yes = command.isForGood ? ['[--yes]'] : []
  return [
    `  ${[name, ...words, ...options, ...yes].join(' ')}`,
    ...command.does.map((line) => `      ${line}`),
    ...Object.entries(command.options ?? {}).flatMap(([option, { meaning }]) =>
      meaning === undefined ? [] : [`      --${option}: ${meaning}`],
    ),
  ].join('\n')
}
