/**
 * What is stopped while platform, provider or bank are ahead of our records (docs/operations.md, Restore), and what
 * continues. Payments have two channels, which open independently of each other.
 */

/** `accounts`: trading accounts and the card provider. `payouts`: the bank. */
export const moneyChannels = ['accounts', 'payouts'] as const
export type MoneyChannel = (typeof moneyChannels)[number]

/** A channel is stopped while recovery is open and it has not been opened again. */
export type StoppedChannels = Readonly<Record<MoneyChannel, boolean>>

type Stops = readonly MoneyChannel[]
const goesOn: Stops = []
const accounts: Stops = ['accounts']
const payouts: Stops = ['payouts']
const both: Stops = moneyChannels

/**
 * All transitions that move money, with the channels that stop them. An integration's response is always accepted. A
 * transition that ends a request assumes that no integration has carried it out, which is unknown meanwhile: it is
 * stopped too.
 */
export const stoppedTransitions: Readonly<Record<string, Readonly<Record<string, Stops>>>> = {
  withdrawal: {
    approve: accounts,
    approveLastBalance: accounts,
    rejectLastBalance: accounts,
    confirm: accounts,
    reject: accounts,
    cancel: accounts,
    debited: goesOn,
    refused: goesOn,
    pay: payouts,
    return: both,
    adopt: goesOn,
    adoptPaid: goesOn,
    adoptReturned: goesOn,
    askReversal: payouts,
    dropReversal: payouts,
    reverse: both,
  },
  /** The bank may have executed payments that our records have lost. */
  payout_batch: {
    release: payouts,
    discard: payouts,
    confirm: payouts,
    askVoid: payouts,
    confirmVoid: payouts,
    dropVoid: payouts,
    paymentReturned: payouts,
    close: payouts,
  },
  payout_stop: { explain: goesOn, lift: goesOn, reopen: goesOn, recover: goesOn, adopt: goesOn },
  transfer: {
    approve: accounts,
    reject: accounts,
    cancel: accounts,
    transferred: goesOn,
    refused: goesOn,
    adopt: goesOn,
  },
  deposit: {
    match: accounts,
    reject: accounts,
    cancel: accounts,
    expire: accounts,
    paid: goesOn,
    declined: goesOn,
    credited: goesOn,
    refused: goesOn,
    adopt: goesOn,
  },
  /** A bank transaction is the bank's statement, and is accepted; actions on its money wait. */
  bank_line: {
    confirm: goesOn,
    reject: goesOn,
    match: accounts,
    adopt: goesOn,
    sendBack: payouts,
    own: payouts,
    comeBack: both,
    release: goesOn,
  },
  correction: { approve: accounts, reject: accounts, applied: goesOn, refused: goesOn, adopt: goesOn },
  /** Two people of finance settle them while payments are stopped. */
  recovery_item: { propose: goesOn, confirm: goesOn, drop: goesOn, clear: goesOn },
  firm_money: { confirm: payouts, reject: payouts, booked: goesOn },
  difference: {
    explain: accounts,
    propose: accounts,
    confirm: accounts,
    reject: goesOn,
    applied: goesOn,
    refused: goesOn,
    vanish: goesOn,
  },
  /** They end at a platform, which may have opened or changed the account already. */
  account: { approve: accounts, reject: goesOn, opened: goesOn, refused: goesOn },
  leverage_request: { approve: accounts, reject: goesOn, changed: goesOn, refused: goesOn },
  /** Nothing is deleted before it is known what is missing. */
  erasure: { approve: accounts, reject: goesOn, cancel: goesOn, complete: accounts },
  client: {
    finishRegistration: goesOn,
    approve: goesOn,
    reject: goesOn,
    suspend: goesOn,
    reactivate: goesOn,
    close: goesOn,
  },
  document: {
    replace: goesOn,
    send: goesOn,
    approve: goesOn,
    reject: goesOn,
    askAgain: goesOn,
    expire: goesOn,
  },
  bank_details: {
    approve: goesOn,
    reject: goesOn,
    approveWithPayout: goesOn,
    rejectWithPayout: goesOn,
    update: goesOn,
  },
  professional: { approve: goesOn, reject: goesOn, askMore: goesOn, answer: goesOn, reverse: goesOn },
  profile_change: { approve: goesOn, reject: goesOn, confirm: goesOn, replace: goesOn },
  enquiry: { answer: goesOn, close: goesOn, conclude: goesOn, reply: goesOn },
  setting_change: { approve: goesOn, reject: goesOn, cancel: goesOn },
  staff_change: { approve: goesOn, reject: goesOn, cancel: goesOn },
  staff: { enrol: goesOn, deactivate: goesOn, inviteAgain: goesOn },
  factor_reset: { approve: goesOn, reject: goesOn, cancel: goesOn },
}

/**
 * Transitions permitted during recovery for a request of which every leg and generation was queried, and none was
 * found.
 */
export const transitionsOfCleared: readonly string[] = ['reject', 'rejectLastBalance', 'cancel']

/**
 * Returns whether a transition is permitted during recovery for some records: for a request that was cleared, and for the
 * decision about a deal without a readable comment, for which recovery waits.
 */
export function isPermittedForSome(life: string, action: string): boolean {
  return transitionsOfCleared.includes(action) || (life === 'difference' && ['propose', 'confirm'].includes(action))
}

/** Returns the channels that stop a transition. */
export function channelsOf(life: string, action: string): Stops {
  return stoppedTransitions[life]?.[action] ?? goesOn
}

/** Returns whether a transition is stopped now. */
export function isTransitionStopped(life: string, action: string, stopped: StoppedChannels | null): boolean {
  return stopped !== null && channelsOf(life, action).some((channel) => stopped[channel])
}
