/**
 * Generates the documents that are derived from rules and contract: `node scripts/generate-docs.ts` writes
 * docs/state-machines.md, docs/permissions.md and the table of variables in docs/operations.md. A test compares them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '#contract/endpoint.ts'
import { officeEndpoints, portalEndpoints } from '#contract/endpoints.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { availableActions, type StateMachine } from '#rules/state-machine.ts'
import { stateMachines } from '#rules/state-machine-registry.ts'
import { permissions, can, canRead, readPermissions, type Area, type Permission } from '#rules/permissions.ts'
import { variablesAsMarkdown } from '#server/config/environment.ts'
import { readUsage } from './usage.mjs'

const root = join(import.meta.dirname, '..')

/** The path of each generated document, and its text. Paths are from the project's root. */
export const generated: Readonly<Record<string, () => string>> = {
  'docs/state-machines.md': renderStateMachines,
  'docs/permissions.md': renderPermissions,
  'docs/operations.md': () => withVariables(readFileSync(join(root, 'docs/operations.md'), 'utf8')),
}

const printed =
  'Printed by `node scripts/generate-docs.ts`; change the files in `rules/` (`permissions.ts`, and `by` of each transition), not this page.'

/** Returns every state machine as a diagram and as a table. */
function renderStateMachines(): string {
  const head = `# State machines\n\nEach state machine is a table of transitions in \`rules/\`; only \`server/db/transition.ts\` changes a state. ${printed}\n`
  return `${head}\n${stateMachines.map(renderMachine).join('\n')}`
}

function renderMachine(machine: StateMachine): string {
  const births = [machine.first, ...(machine.alsoFirst ?? [])].map((state) => `  [*] --> ${state}`)
  const edges = Object.entries(machine.transitions).flatMap(([action, { from, to }]) =>
    from.flatMap((before) => listOf(to).map((after) => `  ${before} --> ${after}: ${action}`)),
  )
  const rows = Object.entries(machine.transitions).map(
    ([action, { from, to, by }]) => `| ${action} | ${from.join(', ')} | ${listOf(to).join(', ')} | ${by.join(', ')} |`,
  )
  return [
    `## ${machine.name}`,
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...births,
    ...edges,
    '```',
    '',
    '| action | from | to | by |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function listOf(to: string | readonly string[]): readonly string[] {
  return typeof to === 'string' ? [to] : to
}

/**
 * Returns the permissions: roles by action and state, readable areas, actions without a state machine, and all
 * endpoints.
 */
function renderPermissions(): string {
  return [
    '# Permissions',
    '',
    `Three locks on every request: \`access\` of the endpoint, \`by\` of the transition, the owner in WHERE. ${printed}`,
    'An administrator may do whatever another deciding role may, never to what is their own; the auditor reads and changes nothing. No one decides on what they requested or approved first, nor on a client with their own address.',
    '',
    '## Actions by state',
    'The letters stand for those who may: **c**lient, co**m**pliance, **o**perations, **f**inance, **a**dministrator, e**x**ternal systems, the clock (**t**).',
    '',
    ...stateMachines.flatMap(actionsByState),
    '## Areas that staff read',
    '',
    ...byRole(Object.keys(readPermissions) as Area[], canRead),
    '## Actions of staff beside the state machines',
    '',
    ...byRole(Object.keys(permissions) as Permission[], can),
    '## Endpoints of the portal',
    '',
    ...endpointRows(portalEndpoints),
    '## Endpoints of the back office',
    '',
    ...endpointRows(officeEndpoints),
  ].join('\n')
}

const letters = [
  ['c', { kind: 'client', id: '' }],
  ['m', { kind: 'staff', id: '' as never, roles: ['compliance'] }],
  ['o', { kind: 'staff', id: '' as never, roles: ['operations'] }],
  ['f', { kind: 'staff', id: '' as never, roles: ['finance'] }],
  ['a', { kind: 'staff', id: '' as never, roles: ['administrator'] }],
  ['x', { kind: 'external' }],
  ['t', { kind: 'clock' }],
] as const

function actionsByState(machine: StateMachine): string[] {
  const verbs = Object.keys(machine.transitions)
  const cell = (state: string, verb: string) =>
    letters
      .flatMap(([letter, acting]) => (availableActions(machine, state, acting).includes(verb) ? [letter] : []))
      .join(' ')
  return [
    `### ${machine.name}`,
    '',
    `| state | ${verbs.join(' | ')} |`,
    `|---|${verbs.map(() => '---|').join('')}`,
    ...machine.states.map((state) => `| ${state} | ${verbs.map((verb) => cell(state, verb)).join(' | ')} |`),
    '',
  ]
}

function byRole<What extends string>(
  whats: readonly What[],
  may: (what: What, roles: readonly StaffRole[]) => boolean,
): string[] {
  return [
    `| | ${staffRoles.join(' | ')} |`,
    `|---|${staffRoles.map(() => '---|').join('')}`,
    ...whats.map((what) => `| ${what} | ${staffRoles.map((role) => (may(what, [role]) ? 'yes' : '')).join(' | ')} |`),
    '',
  ]
}

function endpointRows(endpoints: readonly Endpoint[]): string[] {
  // Sorted by address, because the order of a module's exports is not the same everywhere.
  const sorted = endpoints.toSorted((one, other) =>
    `${one.path} ${one.method}` < `${other.path} ${other.method}` ? -1 : 1,
  )
  const rows = sorted.map(
    ({ method, path, access: who, summary }) =>
      `| ${method} | \`${path}\` | ${who.join(', ')} | ${summary.replaceAll('|', '/')} |`,
  )
  return ['| method | path | who | |', '|---|---|---|---|', ...rows, '']
}

const tableBegins = '<!-- variables: printed from server/config/environment.ts -->'
const tableEnds = '<!-- end of variables -->'

/** Returns the text of docs/operations.md with the current table of variables. */
function withVariables(text: string): string {
  const [before, rest] = text.split(tableBegins)
  const after = rest?.split(tableEnds)[1]
  if (before === undefined || after === undefined) throw new Error('docs/operations.md lacks the markers of its table.')
  return `${before}${tableBegins}\n\n${variablesAsMarkdown()}\n\n${tableEnds}${after}`
}

if (process.argv[1] === import.meta.filename) {
  readUsage('generate-docs')
  for (const [path, draw] of Object.entries(generated)) writeFileSync(join(root, path), draw())
}
