/**
 * What is stopped while platform, provider or bank are ahead of our records (docs/operations.md, Restore), and what
 * continues. Payments have two channels, which open independently of each other.
 */

/** `accounts`: trading accounts and the card provider. `payouts`: the bank. */
export const moneyChannels = ['accounts', 'payouts'] as const
export type MoneyChannel = (typeof moneyChannels)[number]

/** A channel is stopped while recovery is open and it has not been opened again. */
export type StoppedChannels = Readonly<Record<MoneyChannel, boolean>>

type StoppingChannels = readonly MoneyChannel[]
const neverStopped: StoppingChannels = []
const accountsOnly: StoppingChannels = ['accounts']
const payoutsOnly: StoppingChannels = ['payouts']
const bothChannels: StoppingChannels = moneyChannels

/**
 * All transitions that move money, with the channels that stop them. An integration's response is always accepted. A
 * transition that ends a request assumes that no integration has carried it out, which is unknown meanwhile: it is
 * stopped too.
 */
export const stoppedTransitions: Readonly<Record<string, Readonly<Record<string, StoppingChannels>>>> = {
  withdrawal: {
    approve: accountsOnly,
    approveLastBalance: accountsOnly,
    rejectLastBalance: accountsOnly,
    confirm: accountsOnly,
    reject: accountsOnly,
    cancel: accountsOnly,
    debited: neverStopped,
    refused: neverStopped,
    pay: payoutsOnly,
    return: bothChannels,
    adopt: neverStopped,
    adoptPaid: neverStopped,
    adoptReturned: neverStopped,
    askReversal: payoutsOnly,
    dropReversal: payoutsOnly,
    reverse: bothChannels,
  },
  /** The bank may have executed payments that our records have lost. */
  payout_batch: {
    release: payoutsOnly,
    discard: payoutsOnly,
    confirm: payoutsOnly,
    askVoid: payoutsOnly,
    confirmVoid: payoutsOnly,
    dropVoid: payoutsOnly,
    paymentReturned: payoutsOnly,
    close: payoutsOnly,
  },
  payout_stop: {
    explain: neverStopped,
    lift: neverStopped,
    reopen: neverStopped,
    recover: neverStopped,
    adopt: neverStopped,
  },
  transfer: {
    approve: accountsOnly,
    reject: accountsOnly,
    cancel: accountsOnly,
    transferred: neverStopped,
    refused: neverStopped,
    adopt: neverStopped,
  },
  deposit: {
    match: accountsOnly,
    reject: accountsOnly,
    cancel: accountsOnly,
    expire: accountsOnly,
    paid: neverStopped,
    paidLate: neverStopped,
    review: neverStopped,
    declined: neverStopped,
    credited: neverStopped,
    refused: neverStopped,
    credit: accountsOnly,
    refund: accountsOnly,
    refundFailed: neverStopped,
    repaid: neverStopped,
    reopen: neverStopped,
    adopt: neverStopped,
  },
  /** A bank transaction is the bank's statement, and is accepted; actions on its money wait. */
  bank_line: {
    confirm: neverStopped,
    reject: neverStopped,
    match: accountsOnly,
    adopt: neverStopped,
    sendBack: payoutsOnly,
    own: payoutsOnly,
    comeBack: bothChannels,
    proposeSettlement: bothChannels,
    confirmSettlement: bothChannels,
    rejectSettlement: neverStopped,
    release: neverStopped,
  },
  correction: {
    approve: accountsOnly,
    reject: accountsOnly,
    applied: neverStopped,
    refused: neverStopped,
    adopt: neverStopped,
  },
  /** Two people in finance settle them while payments are stopped. */
  recovery_item: { propose: neverStopped, confirm: neverStopped, drop: neverStopped, clear: neverStopped },
  firm_money: { confirm: payoutsOnly, reject: payoutsOnly, booked: neverStopped },
  difference: {
    explain: accountsOnly,
    propose: accountsOnly,
    confirm: accountsOnly,
    reject: neverStopped,
    applied: neverStopped,
    refused: neverStopped,
    vanish: neverStopped,
  },
  /** They end at a platform, which may have opened or changed the account already. */
  account: { approve: accountsOnly, reject: neverStopped, opened: neverStopped, refused: neverStopped },
  leverage_request: { approve: accountsOnly, reject: neverStopped, changed: neverStopped, refused: neverStopped },
  /** Nothing is deleted before it is known what is missing. */
  erasure: { approve: accountsOnly, reject: neverStopped, cancel: neverStopped, complete: accountsOnly },
  client: {
    finishRegistration: neverStopped,
    approve: neverStopped,
    reject: neverStopped,
    suspend: neverStopped,
    reactivate: neverStopped,
    close: neverStopped,
  },
  document: {
    replace: neverStopped,
    send: neverStopped,
    approve: neverStopped,
    reject: neverStopped,
    askAgain: neverStopped,
    expire: neverStopped,
  },
  bank_details: {
    approve: neverStopped,
    reject: neverStopped,
    approveWithPayout: neverStopped,
    rejectWithPayout: neverStopped,
    update: neverStopped,
  },
  professional: {
    approve: neverStopped,
    reject: neverStopped,
    askMore: neverStopped,
    answer: neverStopped,
    reverse: neverStopped,
  },
  profile_change: { approve: neverStopped, reject: neverStopped, confirm: neverStopped, replace: neverStopped },
  enquiry: { answer: neverStopped, close: neverStopped, conclude: neverStopped, reply: neverStopped },
  setting_change: { approve: neverStopped, reject: neverStopped, cancel: neverStopped },
  staff_change: { approve: neverStopped, reject: neverStopped, cancel: neverStopped },
  staff: { enrol: neverStopped, deactivate: neverStopped, inviteAgain: neverStopped },
  factor_reset: { approve: neverStopped, reject: neverStopped, cancel: neverStopped },
}

/**
 * Transitions permitted during recovery for a request of which every leg and generation was queried, and none was
 * found.
 */
export const transitionsOfClearedRequests: readonly string[] = ['reject', 'rejectLastBalance', 'cancel']

/**
 * Returns whether a transition is permitted during recovery for some records: for a request that was cleared, and for
 * the decision about a deal without a readable comment, for which recovery waits.
 */
export function isPermittedForSome(life: string, action: string): boolean {
  return (
    transitionsOfClearedRequests.includes(action) || (life === 'difference' && ['propose', 'confirm'].includes(action))
  )
}

/** Returns the channels that stop a transition. */
export function channelsOf(life: string, action: string): StoppingChannels {
  return stoppedTransitions[life]?.[action] ?? neverStopped
}

/** Returns whether a transition is stopped now. */
export function isTransitionStopped(life: string, action: string, stopped: StoppedChannels | null): boolean {
  return stopped !== null && channelsOf(life, action).some((channel) => stopped[channel])
}
