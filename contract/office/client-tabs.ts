/** The tabs of a client’s page: payments, bank details, logins, emails, events. */
import * as z from 'zod/mini'
import { bankDetailsMachine } from '#rules/bank-details.ts'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { choice, currency, signedBalance, seconds, clientId, id } from '../fields.ts'
import { page, root, clientParams, listQuery } from './briefs.ts'
import { event } from './decisions.ts'

const tabQuery = z.strictObject({ cursor: listQuery.cursor, size: listQuery.size })

export const getClientMoney = endpoint('getClientMoney', `GET ${root}/clients/:id/money`, {
  summary:
    'Returns a client’s deposits, withdrawals and transfers, newest first, with the pending totals in each currency.',
  access: readPermissions.withdrawals,
  params: clientParams,
  query: tabQuery,
  response: page(
    z.object({
      id: z.string(),
      kind: choice(['deposit', 'withdrawal', 'transfer']),
      reference: z.string(),
      state: z.string(),
      at: seconds,
      accountNumber: z.string(),
      otherAccount: z.nullable(z.string()),
      method: z.string(),
      amount: signedBalance,
      currency,
      comment: z.string(),
    }),
    {
      sums: z.array(z.object({ currency, pendingDeposits: signedBalance, pendingWithdrawals: signedBalance })),
    },
  ),
})

const movedMoney = z.object({
  deposits: z.int(),
  deposited: signedBalance,
  /** Refunds and chargebacks. */
  refunded: signedBalance,
  withdrawals: z.int(),
  withdrawn: signedBalance,
  /** Returned payouts, and debits that were credited again. */
  returned: signedBalance,
  net: signedBalance,
})
const largestAmount = z.nullable(z.object({ amount: signedBalance, at: seconds }))

/** The number of months shown, including the current one. */
export const exposureMonths = 12
/** The number of days, the last one today, of the recent sums. */
export const exposureDays = 30

export const getClientExposure = endpoint('getClientExposure', `GET ${root}/clients/:id/exposure`, {
  summary: 'Returns a client’s deposits and withdrawals by currency and method, in total and over the last 30 days.',
  access: readPermissions.withdrawals,
  params: clientParams,
  response: z.object({
    readAt: seconds,
    currencies: z.array(
      z.object({
        currency,
        lifetime: movedMoney,
        /** Of the last 30 days of the firm's zone, today among them. */
        recent: movedMoney,
        methods: z.array(z.object({ method: z.string(), kept: z.string(), lifetime: movedMoney, recent: movedMoney })),
        /** By month of the firm's time zone, oldest first. */
        months: z.array(z.object({ month: z.string(), in: signedBalance, out: signedBalance })),
        firstAt: seconds,
        lastAt: seconds,
        largestDeposit: largestAmount,
        largestWithdrawal: largestAmount,
      }),
    ),
  }),
})

export const getClientBank = endpoint('getClientBank', `GET ${root}/clients/:id/bank`, {
  summary: 'Returns a client’s bank details.',
  access: readPermissions.bankDetails,
  params: clientParams,
  response: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        state: choice(bankDetailsMachine.states),
        bankName: z.string(),
        bankCountry: z.string(),
        currency,
        number: z.string(),
        addedAt: seconds,
        decidedAt: z.nullable(seconds),
        usedForPayouts: z.int(),
      }),
    ),
  }),
})

export const getClientLogins = endpoint('getClientLogins', `GET ${root}/clients/:id/logins`, {
  summary: 'Returns a client’s logins, failed attempts and open sessions.',
  access: readPermissions.clients,
  params: clientParams,
  query: tabQuery,
  response: page(
    z.object({
      at: seconds,
      what: z.string(),
      address: z.nullable(z.string()),
      country: z._default(z.nullable(z.string()), null),
      device: z.nullable(z.string()),
      /** How many there were in that hour, if several are grouped. */
      count: z.int(),
    }),
    {
      sessions: z.array(
        z.object({
          id: z.string(),
          device: z.string(),
          address: z.string(),
          country: z._default(z.nullable(z.string()), null),
          createdAt: seconds,
          lastSeenAt: seconds,
        }),
      ),
      /** The newest sign-ins by country, network and browser family; on the first page only. */
      places: z.array(
        z.object({
          country: z._default(z.nullable(z.string()), null),
          network: z.string(),
          device: z.string(),
          signIns: z.int(),
          firstAt: seconds,
          lastAt: seconds,
        }),
      ),
      /** The table that the countries are from; null if none is configured, or from a server of the version before. */
      locationTable: z._default(z.nullable(z.object({ builtAt: seconds })), null),
    },
  ),
})

export const getClientMails = endpoint('getClientMails', `GET ${root}/clients/:id/mails`, {
  summary: 'Returns the emails sent to a client, with one-time ids masked.',
  access: readPermissions.clients,
  params: clientParams,
  query: tabQuery,
  response: page(
    z.object({
      id: z.string(),
      kind: z.string(),
      to: z.string(),
      subject: z.string(),
      state: z.string(),
      at: seconds,
      /** When the mail server accepted it; null if it has not, or rejected it. */
      sentAt: z.nullable(seconds),
    }),
  ),
})

export const getClientMail = endpoint('getClientMail', `GET ${root}/clients/:id/mails/:mailId`, {
  summary: 'Returns the text of one email.',
  access: readPermissions.clients,
  params: z.object({ id: clientId, mailId: id }),
  response: z.object({
    mail: z.object({
      id: z.string(),
      to: z.string(),
      subject: z.string(),
      text: z.string(),
      state: z.string(),
      /** The mail server's last response, if it has not accepted the email. */
      lastError: z.nullable(z.string()),
      at: seconds,
      sentAt: z.nullable(seconds),
    }),
  }),
})

export const getClientEvents = endpoint('getClientEvents', `GET ${root}/clients/:id/events`, {
  summary: 'Returns all events of a client, newest first.',
  access: readPermissions.clients,
  params: clientParams,
  query: tabQuery,
  response: page(event),
})
