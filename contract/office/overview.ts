/**
 * The overview of the back office: items for this person, queues, money, clients and integrations, each if it may be
 * read.
 */
import * as z from 'zod/mini'
import { readPermissions } from '#rules/permissions.ts'
import { reviews } from '#rules/reviews.ts'
import { dueUnits, workItemKinds } from '#rules/work-items.ts'
import { endpoint, type ResponseOf } from '../endpoint.ts'
import { choice, currency, seconds, signedBalance } from '../fields.ts'
import { colleague, root } from './briefs.ts'
import { inboxEntry } from './inbox.ts'
import { failedOperations } from './failed-count.ts'

/** The number of days that a part of the overview shows, compared with as many days before. */
export const overviewDays = 30
/** The number of days of a median. */
export const medianDays = 7

export const integrations = ['MT5', 'MT4', 'card', 'mail', 'scanner'] as const
export type IntegrationName = (typeof integrations)[number]
/**
 * `out-of-date`: an integration that is read periodically has not been read; `idle`: none of the last 15 minutes' work
 * needed it; `unused`: it was never called.
 */
export const integrationStates = ['operational', 'slow', 'out-of-date', 'not-answering', 'idle', 'unused'] as const
export type IntegrationState = (typeof integrationStates)[number]

const figure = z.object({ count: z.int(), amount: signedBalance })

/** Deposits and withdrawals of a period; net is deposits − refunds − withdrawals + returned (requirements 24.2). */
export const flows = z.object({
  deposits: figure,
  refunds: figure,
  withdrawals: figure,
  returned: figure,
  net: signedBalance,
})
export type Flows = z.output<typeof flows>

const steps = {
  began: z.int(),
  confirmed: z.int(),
  completed: z.int(),
  documents: z.int(),
  approved: z.int(),
  funded: z.int(),
}

/** The due time of a kind of item in the settings; null if its items are due when they open. */
export const target = z._default(z.nullable(z.object({ number: z.int(), unit: choice(dueUnits) })), null)
export type Target = z.output<typeof target>

export const overview = endpoint('overview', `GET ${root}/overview`, {
  summary:
    'Returns the overview. A section is null if the caller’s roles may not read it; `failed` names the sections that could not be read.',
  access: readPermissions.overview,
  response: z.object({
    at: seconds,
    failed: z.array(choice(['needsYou', 'queues', 'figures', 'team', 'clientMoney', 'integrations'])),
    needsYou: z.nullable(
      z.object({
        total: z.int(),
        items: z.array(z.omit(inboxEntry, { viewers: true, assignee: true, group: true, mine: true })),
        /** The earliest end of a snooze among this person's items; only among the first five. */
        nextSnoozed: z.nullable(seconds),
        /** The next due time in the future of any item that may be read and is not snoozed. */
        nextDue: z.nullable(seconds),
      }),
    ),
    queues: z.nullable(
      z.array(
        z.object({
          kind: choice(workItemKinds),
          open: z.int(),
          /** How many of the open items are snoozed, and hidden in the inbox until then. */
          snoozed: z.int(),
          overdue: z.int(),
          oldest: z.nullable(seconds),
          /** The record of the oldest open item. */
          oldestRecord: z.nullable(z.string()),
          oldestDue: z._default(z.nullable(seconds), null),
          /** From opening to decision, the median of 7 days within 5 %; null without decisions. */
          medianSeconds: z.nullable(z.int()),
          decided: z.int(),
          target,
        }),
      ),
    ),
    money: z.nullable(
      z.object({
        from: z.string(),
        to: z.string(),
        currencies: z.array(
          z.object({
            currency,
            days: z.array(z.object({ day: z.string(), in: signedBalance, out: signedBalance })),
            sum: flows,
            before: flows,
          }),
        ),
      }),
    ),
    newClients: z.nullable(
      z.object({
        from: z.string(),
        to: z.string(),
        /** Null before the day's figures were first written. */
        readAt: z.nullable(seconds),
        ...steps,
        /** The days before; null from a server of the version before. */
        before: z._default(z.nullable(z.object({ from: z.string(), to: z.string(), ...steps })), null),
      }),
    ),
    /** Clients under review, counted every few minutes; null from a server of the version before. */
    reviews: z._default(
      z.nullable(
        z.object({
          /** Null until they were first counted. */
          readAt: z.nullable(seconds),
          /** The day of the earlier numbers. */
          before: z.string(),
          rows: z.array(
            z.object({
              review: choice(reviews),
              clients: z.nullable(z.int()),
              /** Null if nothing was counted on that day. */
              clientsBefore: z.nullable(z.int()),
            }),
          ),
        }),
      ),
      null,
    ),
    clientMoney: z.nullable(
      z.array(
        z.object({
          currency,
          owed: signedBalance,
          held: signedBalance,
          difference: signedBalance,
          openDifferences: z.int(),
          statementsTo: z.nullable(z.string()),
          since: seconds,
          readAt: seconds,
        }),
      ),
    ),
    integrations: z.nullable(
      z.array(
        z.object({
          name: choice(integrations),
          state: choice(integrationStates),
          lastAnswer: z.nullable(seconds),
          lastFailure: z.nullable(seconds),
          /** Calls with and without an answer in 15 minutes. */
          answers: z.int(),
          failures: z.int(),
          /** Average response time of these answers, and of those of the day before. */
          averageMs: z.nullable(z.int()),
          usualMs: z.nullable(z.int()),
          waiting: z.int(),
          oldestWaiting: z.nullable(seconds),
        }),
      ),
    ),
    failedOperations,
    team: z.nullable(
      z.array(
        z.object({
          /** Null for unassigned items. */
          staff: z.nullable(colleague),
          open: z.int(),
          overdue: z.int(),
          decided: z.nullable(z.int()),
        }),
      ),
    ),
  }),
})
export type Overview = ResponseOf<typeof overview>
