/** What happened, as a clerk says it: "Withdrawal approved". */
import { useLingui } from '@lingui/react/macro'
import type { OfficeEvent } from '#contract/office/decisions.ts'
import type { StatusWord } from '#ui/status.tsx'
import { useDocumentWord } from '../decision/document-words.ts'
import { plainWords, useRecordWord } from './work-words.ts'

/** The past of a verb; what has none is shown as it stands in the log. */
export function useVerbWord(): (verb: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    approve: t`approved`,
    reject: t`rejected`,
    request: t`requested`,
    confirm: t`confirmed`,
    cancel: t`cancelled`,
    suspend: t`suspended`,
    reactivate: t`reactivated`,
    close: t`closed`,
    match: t`matched`,
    sendBack: t`sent back`,
    credited: t`credited`,
    debited: t`debited`,
    refused: t`refused by the platform`,
    declined: t`declined`,
    paid: t`paid`,
    pay: t`paid out`,
    return: t`returned`,
    expire: t`expired`,
    opened: t`opened`,
    transferred: t`transferred`,
    applied: t`booked`,
    changed: t`changed`,
    send: t`sent for approval`,
    upload: t`uploaded`,
    download: t`downloaded`,
    replace: t`replaced`,
    update: t`updated`,
    save: t`saved`,
    ask: t`asked for`,
    askMore: t`more asked`,
    askAgain: t`asked for again`,
    askSourceOfWealth: t`source of wealth asked for`,
    answer: t`answered`,
    reverse: t`reversed`,
    explain: t`explained`,
    vanish: t`no longer found`,
    find: t`found`,
    import: t`imported`,
    type: t`typed by hand`,
    release: t`released`,
    own: t`taken as the firm’s own`,
    comeBack: t`taken as a payout that came back`,
    booked: t`booked`,
    charged_back: t`charged back`,
    refunded: t`refunded`,
    retry: t`tried again`,
    invite: t`invited`,
    inviteAgain: t`invited again`,
    acceptInvitation: t`invitation accepted`,
    enrol: t`joined`,
    deactivate: t`deactivated`,
    changeRoles: t`roles proposed`,
    resetFactor: t`second factor forgotten`,
    setUpFactor: t`second factor set up`,
    turnFactorOn: t`second factor turned on`,
    turnFactorOff: t`second factor turned off`,
    logIn: t`signed in`,
    logInSecondFactor: t`signed in with the second factor`,
    logInByConfirmation: t`signed in by the confirmation link`,
    logInConfirmedElsewhere: t`signed in, confirmed on another device`,
    logInFailed: t`sign-in failed`,
    codeRefused: t`code of the second factor refused`,
    proveAgain: t`confirmed who it is`,
    proofFailed: t`failed to confirm who it is`,
    logOut: t`signed out`,
    signOut: t`signed out`,
    signOutEverywhere: t`signed out everywhere`,
    endSession: t`session ended`,
    changePassword: t`password changed`,
    resetPassword: t`password reset`,
    sendReset: t`reset link asked for`,
    sendResetLink: t`reset link sent`,
    confirmEmail: t`e-mail confirmed`,
    finishRegistration: t`registration finished`,
    saveRegistrationStep: t`registration step saved`,
    editUser: t`profile changed`,
    correctField: t`field corrected`,
    updateEmploymentIncome: t`employment and income changed`,
    updateTradingExperience: t`trading experience changed`,
    acceptDeclaration: t`declaration accepted`,
    writeNote: t`note added`,
    setFlag: t`flag set`,
    clearFlag: t`flag cleared`,
    securityAnswerRight: t`security answer was right`,
    securityAnswerWrong: t`security answer was wrong`,
    downloadMyData: t`own data downloaded`,
    exportEvidence: t`evidence bundle exported`,
    export: t`exported`,
    exported: t`exported`,
    searched: t`searched`,
    verify: t`verified`,
    make: t`made`,
    run: t`run`,
    scan: t`scanned`,
    refuseInfected: t`refused: infected`,
    nickname: t`nickname changed`,
    'change-password': t`trading password changed`,
    'reveal-password': t`first password shown`,
    'mail-details': t`wire details mailed`,
    numbers: t`numbers shown`,
    view: t`looked at`,
    begin: t`due by law`,
    complete: t`completed`,
    erase: t`erased`,
    restored: t`asked about after a restore`,
    typeMrz: t`machine-readable zone typed`,
    eraseUnneeded: t`erased where nothing must be kept`,
    rotate: t`replaced by a new one`,
    retire: t`removed`,
    wrap: t`wrapped by a new master key`,
    openRecovery: t`begun`,
    widenRecovery: t`found more`,
    take: t`taken on`,
    layBack: t`laid back`,
  }
  return (verb) => words[verb] ?? plainWords(verb).toLowerCase()
}

/** "Withdrawal approved", of documents which one; an act of the client stands alone: "Signed in". */
export function useEventTitle(): (event: Pick<OfficeEvent, 'kind' | 'verb' | 'after'>) => string {
  const { t } = useLingui()
  const record = useRecordWord()
  const documentWord = useDocumentWord()
  const verb = useVerbWord()
  const own: Readonly<Record<string, string>> = {
    'account request': t`Account requested`,
    'account opened': t`Account opened`,
    'leverage_request request': t`Leverage requested`,
    'professional request': t`Professional application sent`,
    'bank_details request': t`Bank details added`,
  }
  return ({ kind, verb: done, after }) => {
    const title = own[`${kind} ${done}`]
    if (title !== undefined) return title
    const words = verb(done)
    if (standsAlone.includes(done)) return words.charAt(0).toUpperCase() + words.slice(1)
    const which = kind === 'document' ? after?.['kind'] : undefined
    return `${typeof which === 'string' ? documentWord(which) : record(kind)} ${words}`
  }
}

const standsAlone: readonly string[] = [
  'logIn',
  'logInSecondFactor',
  'logInByConfirmation',
  'logInConfirmedElsewhere',
  'logInFailed',
  'codeRefused',
  'proveAgain',
  'proofFailed',
  'logOut',
  'signOut',
  'signOutEverywhere',
  'endSession',
  'changePassword',
  'resetPassword',
  'sendReset',
  'sendResetLink',
  'confirmEmail',
  'finishRegistration',
  'saveRegistrationStep',
  'turnFactorOn',
  'turnFactorOff',
  'setUpFactor',
  'acceptDeclaration',
  'writeNote',
  'setFlag',
  'clearFlag',
  'securityAnswerRight',
  'securityAnswerWrong',
  'correctField',
  'editUser',
  'updateEmploymentIncome',
  'updateTradingExperience',
  'downloadMyData',
  'exportEvidence',
  'resetFactor',
  'askSourceOfWealth',
  'acceptInvitation',
  'nickname',
  'change-password',
  'reveal-password',
]

const marks: readonly StatusWord[] = [
  'pending',
  'second_approval',
  'processing',
  'approved',
  'paid',
  'rejected',
  'returned',
  'expired',
  'cancelled',
  'suspended',
  'uploaded',
]

/** States without a mark of their own, and whose they have. */
const likeOthers: Readonly<Record<string, StatusWord>> = {
  registering: 'pending',
  pending_approval: 'pending',
  more_asked: 'pending',
  confirming: 'pending',
  unmatched: 'pending',
  open: 'pending',
  invited: 'pending',
  active: 'approved',
  matched: 'approved',
  own_money: 'approved',
  came_back: 'approved',
  explained: 'approved',
  done: 'approved',
  clean: 'approved',
  infected: 'rejected',
  sent_back: 'returned',
  reversed: 'returned',
  replaced: 'cancelled',
  gone: 'cancelled',
  closed: 'cancelled',
  deactivated: 'suspended',
}

/** The mark of the state that an event led to. */
export function markOfState(state: string | null): StatusWord {
  return marks.find((mark) => mark === state) ?? likeOthers[state ?? ''] ?? 'processing'
}
