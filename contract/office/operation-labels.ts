/** Labels of operations and jobs. */
import { msg } from '../message.ts'

export const operationLabels = {
  'withdrawal-debit': msg`Debit a withdrawal`,
  'withdrawal-reversal': msg`Reverse an unpaid withdrawal`,
  'withdrawal-return': msg`Credit a returned withdrawal`,
  'deposit-credit': msg`Credit a deposit`,
  'transfer-withdraw': msg`Debit a transfer`,
  'transfer-deposit': msg`Credit a transfer`,
  'transfer-compensate': msg`Reverse a transfer`,
  'demo-balance': msg`Credit the starting balance of a demo account`,
  correction: msg`Post a correction`,
  'open-account': msg`Open a trading account`,
  'set-leverage': msg`Change leverage`,
  'set-status': msg`Change the client category of an account`,
  'card-refund': msg`Refund a card payment`,
  'deposit-refund': msg`Refund a card payment`,
  'draw-statement': msg`Create an account statement`,
  'read-trades': msg`Read trades`,
  'read-account': msg`Read account`,
  'compare-account': msg`Compare account`,
  mail: msg`Email`,
  operation: msg`Operation`,
  balance: msg`Platform balance`,
}

/** Where an operation failed. */
export const sourceLabels = {
  operation: msg`Platform or provider`,
  job: msg`Internal`,
  statement: msg`Account statement`,
  trades: msg`Trade history`,
  account: msg`Trading account`,
}
