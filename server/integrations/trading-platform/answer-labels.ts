import { msg, type Labels, type Message } from '#contract/message.ts'

/** Texts for staff for the codes of MetaTrader 5 (retcodes) and of the MetaTrader 4 gateway (docs/mt4-gateway.md). */
export const answerLabels: Labels = {
  '3': msg`The request was not valid.`,
  '4': msg`The request was not valid.`,
  '7': msg`There was a network error.`,
  '8': msg`Our login does not have this permission on the platform.`,
  '9': msg`The platform took too long.`,
  '10': msg`The platform has no connection.`,
  '12': msg`There were too many requests.`,
  '13': msg`The platform could not find the account.`,
  '14': msg`The response was incomplete.`,
  '15': msg`The platform is shutting down.`,
  '17': msg`This already exists on the platform.`,
  '3002': msg`The platform has no free account numbers.`,
  '3003': msg`The platform has no free account numbers.`,
  '3004': msg`This already exists on the platform.`,
  '3006': msg`The password does not meet the platform’s rules.`,
  '3007': msg`The platform has no free account numbers.`,
  '3008': msg`The account has open positions.`,
  '3009': msg`The accounts are on different servers.`,
  '3010': msg`The account has another currency.`,
  '4005': msg`The amount is too large for the platform.`,
  '10006': msg`The platform rejected the request.`,
  '10013': msg`The request was not valid.`,
  '10017': msg`Trading is disabled for this account.`,
  '10018': msg`The market is closed.`,
  '10019': msg`The account does not have enough money.`,
  not_found: msg`The platform could not find the account.`,
  no_money: msg`The account does not have enough money.`,
  bad_password: msg`The password does not meet the platform’s rules.`,
  bad_group: msg`The platform does not have this group.`,
  bad_request: msg`The request was not valid.`,
  disabled: msg`Trading is disabled for this account.`,
  permission: msg`Our login does not have this permission on the platform.`,
  busy: msg`The platform is busy.`,
  timeout: msg`The platform took too long.`,
}

/** Texts for staff for the frequent sentences of the adapters and of the worker itself. */
export const sentenceLabels: Labels = {
  'The integration does not know this reference.': msg`The integration does not know this reference.`,
  'The platform has another amount for this reference.': msg`The platform has another amount for this reference.`,
  'The platform could not be reached a moment ago': msg`The platform could not be reached.`,
  'Signing in to the platform failed': msg`We could not sign in to the platform.`,
  'The platform is too slow: not sent': msg`The platform was too slow. Nothing was sent.`,
  'A deal of the account may be this operation: not sent': msg`A deal of this account cannot be read. It may be this operation, so nothing is sent to the account.`,
  'Two people must decide in recovery on a deal of the same request: not sent': msg`Recovery found a deal of the same request. Nothing is sent until two people in finance have decided on it.`,
  'Two people decided on the deal of this reference': msg`Two people decided in recovery on the deal with this reference, so nothing was sent.`,
  'The platform has a deal with this reference.': msg`The platform has a deal with this reference. Its outcome is being queried.`,
  'A deal that may be another attempt of this operation cannot be read.': msg`A deal of this account cannot be read. It may be another attempt of this operation, so nothing is sent.`,
  'The deal is one of our operations': msg`The deal is one of our operations, so it is not reversed.`,
  'Not sent in time': msg`The request was not sent in time.`,
  'The amount is too large for the platform': msg`The amount is too large for the platform.`,
  'Not a login': msg`The platform could not find the account.`,
  'The response has no ticket': msg`The response was incomplete.`,
  'The response has no record': msg`The response was incomplete.`,
  'The card provider did not respond': msg`The card provider did not respond.`,
  'The card provider has not settled the refund': msg`The card provider has not completed the refund yet.`,
}

/** Sentences with a value; `call` is the path of a call. */
export const sentencePatterns: readonly (readonly [RegExp, Message])[] = [
  [/^(?<call>\/\S+): no (?:usable )?response$/, msg`{call}: no usable response.`],
  [/^(?<call>\/\S+): no usable response \((?<code>.+)\)$/, msg`{call}: no usable response ({code}).`],
  [
    /^(?<call>\/\S+): the response does not follow the contract$/,
    msg`{call}: the response does not follow the contract.`,
  ],
  [
    /^(?<call>\/\S+): our login at the platform has no right for this \((?<code>.+)\)$/,
    msg`{call}: our login does not have this permission on the platform ({code}).`,
  ],
  [
    /^The response of the card provider about payment (?<reference>\S+) cannot be used\. Two people in finance decide on it under Reconciliation\.$/,
    msg`The response of the card provider about payment {reference} cannot be used. Two people in finance decide on it in Reconciliation.`,
  ],
  [/^The currency of the group (?<value>.+) cannot be read$/, msg`The currency of the group “{value}” cannot be read.`],
  [
    /^The (?<field>\w+) of account (?<login>[\d, ?]+) cannot be read: it may be the one that was opened\. Correct it there$/,
    msg`{field} of account {login} cannot be read. It may be the account that was opened. Correct it on the platform.`,
  ],
  [
    /^A deal at (?<platform>MT[45]) without a readable account and comment may be ours$/,
    msg`A deal on {platform} has no readable account and comment. It may be one of our operations, so nothing is sent to the platform.`,
  ],
  [
    /^The platform executed another attempt: (?<ref>\S+)\. Two people in finance must decide on it in Reconciliation or Recovery\.$/,
    msg`The platform executed another attempt of this operation: {ref}. Two people in finance must decide on it in Reconciliation or Recovery.`,
  ],
  [
    /^The reversal of another attempt is not done on the platform yet: (?<ref>\S+)\.$/,
    msg`The platform has not executed the reversal of another attempt yet: {ref}.`,
  ],
  [/^The account is in (?<currency>[A-Z]{3})$/, msg`The account is in {currency}.`],
  [/^(?<platform>MetaTrader [45]) is not connected\.$/, msg`{platform} is not connected.`],
]
