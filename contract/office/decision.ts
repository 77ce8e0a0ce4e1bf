/** What declares a decision of staff. A file of its own: the first page that staff load does without it. */
import type * as z from 'zod/mini'
import type { Lifecycle } from '#rules/state-machine.ts'
import { decidersOf } from '#rules/permissions.ts'
import { channelsOf, stepsOfCleared } from '#rules/recovery.ts'
import { endpoint } from '../endpoint.ts'
import { body } from '../fields.ts'
import type { ProblemCode } from '../problems.ts'
import { recordParams, root } from './briefs.ts'
import { decided, decisionProblems, version } from './decisions.ts'

interface Deciding<Name extends string, Shape extends z.core.$ZodLooseShape> {
  readonly name: Name
  /** The area under the back office's root. */
  readonly area: string
  readonly life: Pick<Lifecycle, 'name' | 'steps'>
  readonly verb: string
  /** The last segment, where it is not the verb. */
  readonly segment?: string
  readonly summary: string
  /** What is taken beside the version. */
  readonly body: Shape
  readonly problems?: readonly ProblemCode[]
}

/** Declares POST …/{id}/{verb}: its doors are those of the life's table, so that the two cannot drift. */
export function decision<const Name extends string, const Shape extends z.core.$ZodLooseShape>(
  deciding: Deciding<Name, Shape>,
) {
  const stops = channelsOf(deciding.life.name, deciding.verb)
  return endpoint({
    name: deciding.name,
    method: 'POST',
    path: `${root}/${deciding.area}/:id/${deciding.segment ?? deciding.verb}`,
    summary: deciding.summary,
    who: decidersOf(deciding.life, deciding.verb),
    params: recordParams,
    body: body({ version, ...deciding.body }),
    answer: decided,
    problems: [
      ...decisionProblems,
      ...(stops.length > 0 ? (['money-stopped-office'] as const) : []),
      ...(deciding.problems ?? []),
    ],
    // The end of a request goes on where recovery knows that nothing was done: its verb asks.
    stopsWith: stepsOfCleared.includes(deciding.verb) ? [] : stops,
  })
}
