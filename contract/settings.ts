/** The settings that the portal needs (requirements 14.1). */
import * as z from 'zod/mini'
import { legalTextKeys } from '#rules/choices.ts'
import { currencies } from '#rules/money.ts'
import { methodTypes, paymentGateways } from '#rules/payment-methods.ts'
import { endpoint } from './endpoint.ts'
import { choice, signedBalance } from './fields.ts'
import { moneyStopped } from './money-stopped.ts'

/** The funding method record (requirements 8.4), with its fee as numbers for the summary. */
export const methodRecord = z.object({
  id: z.string(),
  method: z.string(),
  image: z.string(),
  time: z.string(),
  fees: z.string(),
  text: z.string(),
  type: choice(methodTypes),
  paymentGateway: choice(paymentGateways),
  feePercent: z.string(),
  feeFlat: signedBalance,
})
export type MethodRecord = z.output<typeof methodRecord>

const byCurrency = z.record(choice(currencies), signedBalance)
const legalText = z.object({ version: z.int(), title: z.string(), text: z.string() })

const servers = z.object({ demo: z.string(), live: z.string() })

export const settings = endpoint('settings', 'GET /api/settings', {
  summary:
    'Returns the firm’s details, notice, feature switches, limits and legal texts. With a client’s token, also returns the payment methods of the client’s country.',
  access: ['public', 'registering', 'client'],
  response: z.object({
    firm: z.object({
      name: z.string(),
      logoUrl: z.nullable(z.string()),
      brandColour: z.string(),
      supportEmail: z.string(),
      languages: z.array(z.string()),
      timeZone: z.string(),
      /** The stylesheet with the brand colour's tokens. */
      brandStylesheet: z.string(),
    }),
    notice: z.nullable(
      z.object({
        title: z.string(),
        lines: z.array(z.string()),
        /** In the reader's language: “Before 5 July”, “Please close your open positions yourself.” */
        dates: z.array(z.object({ when: z.string(), what: z.string() })),
        /** Seconds since 1970 of the last change; null for the default. */
        updated: z.nullable(z.int()),
      }),
    ),
    disabledProfessionalClientApplication: z.boolean(),
    windDown: z.object({ deposits: z.boolean(), newAccounts: z.boolean(), leverage: z.boolean() }),
    limits: z.object({
      depositMin: byCurrency,
      withdrawalMin: byCurrency,
      transferMin: byCurrency,
      passwordMin: z.int(),
      uploadBytesMax: z.int(),
    }),
    securityQuestions: z.array(z.object({ id: z.string(), text: z.string() })),
    legalTexts: z.record(choice(legalTextKeys), legalText),
    depositMethods: z.array(methodRecord),
    withdrawalMethods: z.array(methodRecord),
    /** The platforms' server names, for the download links and the account cards. */
    platforms: z.object({ mt4: servers, mt5: servers }),
    /** A password is accepted in plain text as well as encrypted. */
    plainPasswords: z.boolean(),
    demo: z.boolean(),
    /** For a logged-in client: the stopped channels; null for everyone else. */
    moneyStopped,
  }),
})
