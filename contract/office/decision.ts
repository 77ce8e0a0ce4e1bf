/** Declares decisions of staff. A separate file, because the first page that staff load does without it. */
import type * as z from 'zod/mini'
import type { StateMachine } from '#rules/state-machine.ts'
import { rolesFor } from '#rules/permissions.ts'
import { channelsOf, transitionsOfCleared } from '#rules/recovery.ts'
import { endpoint } from '../endpoint.ts'
import { body } from '../fields.ts'
import type { ProblemCode } from '../problems.ts'
import { paramsOf, root } from './briefs.ts'
import { decided, decisionProblems, version } from './decisions.ts'

interface Deciding<
  Name extends string,
  Shape extends z.core.$ZodLooseShape,
  Machine extends string,
  Kind extends string,
> {
  readonly name: Name
  /** The area below the back office's root. */
  readonly area: string
  readonly machine: Pick<StateMachine, 'transitions'> & { readonly name: Machine }
  readonly action: string
  /** The last segment of the path, if it is not the action. */
  readonly segment?: string
  /** The kind of record in the path, if it is not the machine's. */
  readonly of?: Kind
  readonly summary: string
  /** Fields besides the version. */
  readonly body: Shape
  readonly problems?: readonly ProblemCode[]
}

/** Declares POST …/{id}/{action}. Its roles are those of the state machine, so that the two cannot differ. */
export function decision<
  const Name extends string,
  const Shape extends z.core.$ZodLooseShape,
  const Machine extends string,
  const Kind extends string = Machine,
>(deciding: Deciding<Name, Shape, Machine, Kind>) {
  const stops = channelsOf(deciding.machine.name, deciding.action)
  return endpoint({
    name: deciding.name,
    route: `POST ${root}/${deciding.area}/:id/${deciding.segment ?? deciding.action}`,
    summary: deciding.summary,
    access: rolesFor(deciding.machine, deciding.action),
    params: paramsOf<Kind>(),
    body: body({ version, ...deciding.body }),
    response: decided,
    problems: [
      ...decisionProblems,
      ...(stops.length > 0 ? (['money-stopped-office'] as const) : []),
      ...(deciding.problems ?? []),
    ],
    // The end of a request remains possible if recovery knows that nothing was done: its handler checks that.
    stopsWith: transitionsOfCleared.includes(deciding.action) ? [] : stops,
  })
}
