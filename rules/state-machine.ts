/**
 * A life is a table keyed by verb. The same table drives the guard on the server, the buttons of both apps, the
 * database constraint's test, the diagram in the docs and the test of who may do what in every state.
 */
import { actorsOf, type Acting, type Actor } from './actors.ts'

export interface Step<State extends string> {
  readonly from: readonly State[]
  /** Where the verb leads; several where a rule decides which. */
  readonly to: State | readonly State[]
  readonly by: readonly Actor[]
}

export type Steps<State extends string> = Readonly<Record<string, Step<State>>>

/** One lifecycle: its name in the event log and the inbox, its table in the database, its states and its steps. */
export interface Lifecycle<State extends string = string, Table extends Steps<State> = Steps<State>> {
  readonly name: string
  readonly table: string
  readonly states: readonly State[]
  /** The state in which a row is born. */
  readonly first: State
  /** Other states in which a row can be born, such as a demo account that needs no approval. */
  readonly alsoFirst?: readonly State[]
  readonly steps: Table
}

export type Refusal = 'wrong-state' | 'wrong-role'

/** Declares a lifecycle; the states are inferred, so that a step can name no other. */
export function lifecycle<const State extends string, const Table extends Steps<State>>(
  life: Lifecycle<State, Table>,
): Lifecycle<State, Table> {
  return life
}

/** Why `acting` may not do `verb` in `state`, or null. The role is looked at first: a stranger learns no state. */
export function refusal<State extends string>(
  life: Lifecycle<State>,
  verb: string,
  state: State,
  acting: Acting,
): Refusal | null {
  const step = life.steps[verb]
  if (!step) throw new Error(`${life.name} has no verb ${verb}`)
  if (!actorsOf(acting).some((actor) => step.by.includes(actor))) return 'wrong-role'
  return step.from.includes(state) ? null : 'wrong-state'
}

/** The verbs that `acting` can do on a record in `state`: the buttons of a page. */
export function verbsFor<State extends string, Table extends Steps<State>>(
  life: Lifecycle<State, Table>,
  state: State,
  acting: Acting,
): (keyof Table & string)[] {
  return Object.keys(life.steps).filter((verb) => refusal(life as Lifecycle<State>, verb, state, acting) === null)
}

/** The states that a verb may lead to. */
export function targets<State extends string>(life: Lifecycle<State>, verb: string): readonly State[] {
  const to = life.steps[verb]?.to
  if (to === undefined) throw new Error(`${life.name} has no verb ${verb}`)
  return typeof to === 'string' ? [to] : to
}

/** Whether a verb brings a request on; rejecting and cancelling end it. */
export function isForward<State extends string>(life: Lifecycle<State>, verb: string): boolean {
  return !targets(life, verb).every((state) => state === 'rejected' || state === 'cancelled')
}
