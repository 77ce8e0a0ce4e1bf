/** What the values of an event are called, in the reader's language. */
import { useLingui } from '@lingui/react/macro'
import { useStatusWord } from '#ui/status.tsx'
import { plainWords } from './work-words.ts'

/** The word of any state: a request's status, or one of files, bank lines, differences, operations, staff. */
export function useStateWord(): (state: string) => string {
  const { t } = useLingui()
  const status = useStatusWord()
  const words: Readonly<Record<string, string>> = {
    scanning: t`Being scanned`,
    refused: t`Refused`,
    unknown: t`Outcome unknown`,
    absent: t`Not found at the platform`,
    'not-sent': t`Not sent`,
    differs: t`Differs`,
    clean: t`Clean`,
    infected: t`Infected`,
    unmatched: t`Unmatched`,
    matched: t`Matched`,
    sent_back: t`Sent back`,
    own_money: t`The firm’s own`,
    came_back: t`Returned payout`,
    open: t`Open`,
    explained: t`Explained`,
    gone: t`Gone by itself`,
    invited: t`Invited`,
    active: t`Active`,
    deactivated: t`Deactivated`,
    professional: t`Professional`,
    retail: t`Retail`,
    done: t`Done`,
    created: t`Created`,
    released: t`Released`,
    sent: t`Sent`,
    partly_returned: t`Partly returned`,
    void_requested: t`Void requested`,
    void: t`Void`,
  }
  return (state) => {
    const word = status(state)
    return word === state ? ((Object.hasOwn(words, state) ? words[state] : undefined) ?? plainWords(state)) : word
  }
}

/** "Amount" of a value's name; one that nobody has named yet as plain words. */
export function useValueName(): (name: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    account: t`Account`,
    added: t`New lines`,
    address: t`Flat, building`,
    addressNo: t`Street and house number`,
    amount: t`Amount`,
    bankId: t`Bank’s id`,
    bankLine: t`Bank line`,
    batch: t`Payout batch`,
    birthDate: t`Date of birth`,
    charge: t`Kept by the bank`,
    city: t`City`,
    client: t`Client`,
    clientStatus: t`Status of the client`,
    closing: t`Closing balance`,
    count: t`Count`,
    country: t`Country`,
    county: t`County`,
    currency: t`Currency`,
    deposit: t`Deposit`,
    destination: t`To account`,
    device: t`Device`,
    differences: t`Differences`,
    differing: t`Known otherwise`,
    email: t`E-mail`,
    field: t`Field`,
    files: t`Files`,
    filter: t`Filters`,
    flag: t`Flag`,
    from: t`Until now`,
    keys: t`Count`,
    kid: t`Key`,
    kind: t`Kind`,
    leverage: t`Leverage`,
    leftOut: t`Left out`,
    lines: t`Lines`,
    links: t`One-time links`,
    list: t`List`,
    mobilePhone: t`Mobile`,
    name: t`Name`,
    nationality: t`Nationality`,
    note: t`Note`,
    number: t`Number`,
    payer: t`Payer`,
    platform: t`Platform`,
    postcode: t`Postcode`,
    purpose: t`Purpose`,
    rate: t`Rate`,
    received: t`Arrived`,
    reference: t`Reference`,
    remittance: t`Remittance`,
    roles: t`Roles`,
    rows: t`Rows`,
    section: t`Section`,
    sha256: t`SHA-256`,
    source: t`From account`,
    staff: t`Person`,
    step: t`Step`,
    sum: t`Sum`,
    surname: t`Surname`,
    title: t`Title`,
    to: t`Asked for`,
    total: t`Total`,
    type: t`Type`,
    unread: t`Not read`,
    version: t`Version`,
    whole: t`The log is whole`,
    'windDown.deposits': t`No new deposits`,
    'windDown.leverage': t`No higher leverage`,
    'windDown.newAccounts': t`No new trading accounts`,
    withdrawal: t`Withdrawal`,
  }
  return (name) => (Object.hasOwn(words, name) ? words[name] : undefined) ?? plainWords(name)
}
