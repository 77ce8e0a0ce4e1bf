/** The list of clients, and the page of one client by tab. */
import * as z from 'zod/mini'
import { accountMachine } from '#rules/accounts.ts'
import { clientMachine } from '#rules/clients.ts'
import { clientFlags, clientStatuses } from '#rules/choices.ts'
import { riskLevels } from '#rules/constants.ts'
import { documentKinds, documentMachine } from '#rules/documents.ts'
import { linkKinds } from '#rules/linked-clients.ts'
import { readPermissions } from '#rules/permissions.ts'
import { erasureMachine } from '#rules/retention.ts'
import { reviews } from '#rules/reviews.ts'
import { workItemKinds } from '#rules/work-items.ts'
import { endpoint } from '../endpoint.ts'
import { choice, currency, signedBalance, flagInQuery, seconds, wholeNumberInQuery } from '../fields.ts'
import { decisionCheck } from './checks.ts'
import { clientSteps } from './reports.ts'
import { clientBrief, page, root, staffBrief, clientParams, listOf } from './briefs.ts'
import { moneyFact, recordFields, action } from './decisions.ts'

const state = choice(clientMachine.states)

export const searchClients = endpoint('searchClients', `GET ${root}/clients`, {
  summary: 'Searches clients by part of a name, email address, client number, account number, reference or IBAN.',
  access: readPermissions.clients,
  query: listOf(['number', 'name', 'registeredAt'], {
    state: z.optional(state),
    clientStatus: z.optional(choice(clientStatuses)),
    country: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/, 'unknown-value'))),
    riskLevel: z.optional(wholeNumberInQuery(1, riskLevels.length)),
    flag: z.optional(choice(clientFlags)),
    /** Only clients whom compliance reviews for this reason now: those that the overview counts. */
    review: z.optional(choice(reviews)),
    /** Only clients whose identity and address are approved, so that their own approval is next. */
    toApprove: z.optional(flagInQuery),
    /**
     * Only clients who have reached a step; `from` and `to` are then the days on which they began (requirements 24.4).
     */
    reached: z.optional(choice(clientSteps)),
  }),
  response: page(z.object({ client: clientBrief, registeredAt: z.nullable(seconds), waiting: z.int() })),
  problems: ['cursor-invalid'],
})

/** A field of the profile: its value, the former one, and a pending change. */
const profileField = z.object({
  field: z.string(),
  value: z.nullable(z.string()),
  previous: z.nullable(z.object({ value: z.nullable(z.string()), until: seconds })),
  pending: z.nullable(z.object({ id: z.string(), to: z.string(), since: seconds })),
  /** Whether staff may correct it here. */
  correctable: z.boolean(),
})

export const officeClient = z.object({
  ...recordFields,
  decisionChecks: z.array(decisionCheck),
  state,
  /** The internal reason of the last decision on the client; `reason` is the client's text. */
  internalReason: z.nullable(z.string()),
  client: clientBrief,
  profile: z.array(profileField),
  waiting: z.array(
    z.object({
      itemId: z.string(),
      kind: choice(workItemKinds),
      record: z.string(),
      state: z.string(),
      summary: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
      dueAt: seconds,
      createdAt: seconds,
      late: z.boolean(),
    }),
  ),
  documents: z.array(
    z.object({
      id: z.string(),
      kind: choice(documentKinds),
      state: choice(documentMachine.states),
      country: z.string(),
      documentNumber: z.string(),
      date: z.string(),
      sentAt: z.nullable(seconds),
      decidedAt: z.nullable(seconds),
      reason: z.nullable(z.string()),
      /** The file of its first side, for readers who may see images of documents without giving a reason. */
      thumbnailFileId: z.nullable(z.string()),
    }),
  ),
  accounts: z.array(
    z.object({
      id: z.string(),
      number: z.nullable(z.string()),
      requestType: choice(['live', 'demo']),
      platform: z.string(),
      type: z.string(),
      currency,
      leverage: z.int(),
      clientStatus: choice(clientStatuses),
      state: choice(accountMachine.states),
      nickname: z.string(),
      balance: moneyFact,
      equity: moneyFact,
      reserved: signedBalance,
    }),
  ),
  approval: z.object({ identityApprovedAt: z.nullable(seconds), addressApprovedAt: z.nullable(seconds) }),
  risk: z.object({
    country: z.object({ name: z.string(), level: z.int() }),
    nationality: z.nullable(z.object({ name: z.string(), level: z.int() })),
    flags: z.array(z.object({ flag: choice(clientFlags), note: z.string(), setBy: staffBrief, setAt: seconds })),
  }),
  /**
   * Other clients who share data with this one (requirements 24.9); `clients` is null for readers who see only the
   * number.
   */
  linked: z.object({
    count: z.int(),
    clients: z.nullable(
      z.array(
        z.object({ id: z.string(), name: z.string(), number: z.string(), state, kinds: z.array(choice(linkKinds)) }),
      ),
    ),
  }),
  security: z.object({
    secondFactor: z.boolean(),
    secondFactorSince: z.nullable(seconds),
    question: z.nullable(z.string()),
    answerTriesLeft: z.int(),
    openSessions: z.int(),
  }),
  erasedAt: z.nullable(seconds),
  /** The erasure request and its outcome; null if none was made. */
  erasure: z.nullable(
    z.object({
      state: choice(erasureMachine.states),
      version: z.int(),
      askedFor: choice(['client', 'firm', 'law']),
      reason: z.string(),
      askedBy: z.nullable(staffBrief),
      askedAt: seconds,
      decidedBy: z.nullable(staffBrief),
      decidedAt: z.nullable(seconds),
      /** Until when the legal record must be kept; null if none must be. */
      keptUntil: z.nullable(seconds),
      erased: z.record(z.string(), z.int()),
      verbs: z.array(action),
    }),
  ),
  /** When the newest email to the client's address was finally rejected; null if it was accepted. */
  mailRefusedAt: z.nullable(seconds),
  /** A pending request to reset 2FA; null if there is none. */
  factorReset: z.nullable(
    z.object({
      version: z.int(),
      reason: z.string(),
      askedBy: staffBrief,
      askedAt: seconds,
      verbs: z.array(action),
    }),
  ),
  /** The current hold on payments; `until` is null for one without an end. For staff only. */
  hold: z.nullable(
    z.object({ id: z.string(), reason: z.string(), setBy: staffBrief, since: seconds, until: z.nullable(seconds) }),
  ),
  notes: z.array(z.object({ id: z.string(), by: staffBrief, text: z.string(), at: seconds })),
  /** Actions beside those of the state machine, under their older name on the wire (ADR 171). */
  deeds: z.array(z.object({ deed: z.string(), refusal: z.nullable(z.object({ code: z.string(), text: z.string() })) })),
  counts: z.object({
    documents: z.int(),
    accounts: z.int(),
    money: z.int(),
    bankDetails: z.int(),
    mails: z.int(),
    events: z.int(),
  }),
})

export type OfficeClient = z.output<typeof officeClient>

/** Returns an action on the client with the reason why the reader may not take it. */
export function clientAction({ deeds }: Pick<OfficeClient, 'deeds'>, name: string) {
  return deeds.find(({ deed }) => deed === name)
}

/** Returns whether the reader may take this action on the client now. */
export function isActionAllowed(client: Pick<OfficeClient, 'deeds'>, name: string): boolean {
  return clientAction(client, name)?.refusal === null
}

export const getOfficeClient = endpoint('getOfficeClient', `GET ${root}/clients/:id`, {
  summary: 'Returns the overview of one client, pending items first.',
  access: readPermissions.clients,
  params: clientParams,
  response: z.object({ client: officeClient }),
})
