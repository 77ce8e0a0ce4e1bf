/**
 * State machines as tables of transitions by action. A table drives the guard on the server, the buttons of both apps,
 * the test of the database constraint, the diagram in the docs and the tests of permissions in every state.
 */
import { actorsOf, type ActorIdentity, type Actor } from './actors.ts'

export interface Transition<State extends string> {
  readonly from: readonly State[]
  /** The state that follows; several if a rule decides which. */
  readonly to: State | readonly State[]
  readonly by: readonly Actor[]
}

export type Transitions<State extends string> = Readonly<Record<string, Transition<State>>>

/**
 * One state machine: its name in the event log and the inbox, its table in the database, its states and its
 * transitions.
 */
export interface StateMachine<
  State extends string = string,
  Table extends Transitions<State> = Transitions<State>,
  Name extends string = string,
> {
  readonly name: Name
  readonly table: string
  readonly states: readonly State[]
  /** The initial state of a row. */
  readonly first: State
  /** Other initial states, such as that of a demo account, which needs no approval. */
  readonly alsoFirst?: readonly State[]
  /**
   * The states in which staff have yet to decide. What they may do in others, such as a return, is no open decision.
   */
  readonly undecided: readonly State[]
  readonly transitions: Table
}

type TransitionError = 'wrong-state' | 'wrong-role'

/** Declares a state machine; the states are inferred, so that a transition can name no others. */
export function defineStateMachine<
  const State extends string,
  const Table extends Transitions<State>,
  const Name extends string,
>(machine: StateMachine<State, Table, Name>): StateMachine<State, Table, Name> {
  return machine
}

/**
 * Returns why `identity` may not perform `action` in `state`, or null. The role is checked first, so that a caller
 * without permission learns no state.
 */
export function transitionError<State extends string>(
  machine: StateMachine<State>,
  action: string,
  state: State,
  identity: ActorIdentity,
): TransitionError | null {
  const step = machine.transitions[action]
  if (!step) throw new Error(`${machine.name} has no action ${action}`)
  if (!actorsOf(identity).some((actor) => step.by.includes(actor))) return 'wrong-role'
  return step.from.includes(state) ? null : 'wrong-state'
}

/** Returns the actions that `identity` may perform on a record in `state`, for the buttons of a page. */
export function availableActions<State extends string, Table extends Transitions<State>>(
  machine: StateMachine<State, Table>,
  state: State,
  identity: ActorIdentity,
): (keyof Table & string)[] {
  return Object.keys(machine.transitions).filter(
    (action) => transitionError(machine as StateMachine<State>, action, state, identity) === null,
  )
}

/** Returns whether one of the actions is still to come for a record. */
export function isBefore<State extends string, Table extends Transitions<State>>(
  machine: StateMachine<State, Table>,
  ...actions: readonly (keyof Table & string)[]
): (record: { readonly state: string }) => boolean {
  const { transitions } = machine as StateMachine<State>
  return ({ state }) => actions.some((action) => transitions[action]?.from.includes(state as State))
}

/** Returns the states that an action may lead to. */
export function targetStates<State extends string>(machine: StateMachine<State>, action: string): readonly State[] {
  const to = machine.transitions[action]?.to
  if (to === undefined) throw new Error(`${machine.name} has no action ${action}`)
  return typeof to === 'string' ? [to] : to
}

/** Returns whether an action advances a request. Rejecting and cancelling end it. */
export function isForward<State extends string>(machine: StateMachine<State>, action: string): boolean {
  return !targetStates(machine, action).every((state) => state === 'rejected' || state === 'cancelled')
}
