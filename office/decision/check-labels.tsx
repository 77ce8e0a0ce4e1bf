import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Check } from '#contract/office/briefs.ts'
import { currencies } from '#rules/money.ts'
import { Checklist, type ChecklistRow } from '#ui/data/checklist.tsx'
import { moneyText } from '#ui/money/money.tsx'
import { rateText } from '#ui/money/rate-format.ts'
import { Time } from '#ui/text/time.tsx'
import { plainWords } from '../records/work-item-labels.ts'
import { countryName } from './country-name.ts'

const tones = { ok: 'ok', warn: 'wait', differs: 'bad', unknown: 'plain' } as const

/** The server's checks as sentences; the two sides stand beneath where they differ. */
export function CheckLabels({ checks, currency }: { checks: readonly Check[]; currency?: string | null }) {
  const words = useCheckLabels(currency ?? null)
  return <Checklist checks={checks.map((check): ChecklistRow => ({ tone: tones[check.verdict], ...words(check) }))} />
}

function useCheckLabels(currency: string | null): (check: Check) => { title: ReactNode; text?: ReactNode } {
  const { t, i18n } = useLingui()
  const money = (minor: string | null) => {
    const known = currencies.find((one) => one === currency)
    return minor !== null && known && /^-?\d+$/.test(minor)
      ? moneyText({ minor: BigInt(minor), currency: known }, i18n.locale)
      : minor
  }
  const rate = (text: string | null) => (text === null ? '–' : rateText(text, i18n.locale))
  return (check) => {
    const good = check.verdict === 'ok'
    const { ours, theirs } = check
    const known: Readonly<Record<string, () => { title: ReactNode; text?: ReactNode }>> = {
      'holder-is-client': () => ({
        title: good ? t`Name on the bank account is the client’s` : t`Name on the bank account is not the client’s`,
        text: good ? undefined : sides(theirs, ours),
      }),
      'bank-approved-over-30-days': () => ({
        title: good ? t`Bank details approved over 30 days ago` : t`Bank details approved less than 30 days ago`,
        text: good || ours === null ? undefined : <Time at={new Date(ours)} form="day" />,
      }),
      'ledger-agrees': () => ({
        title: good
          ? t`Ledger and platform agree`
          : check.verdict === 'unknown'
            ? t`The platform has not told its balance`
            : t`Ledger and platform differ`,
      }),
      'money-there': () => ({
        title: good
          ? t`The money is there and free`
          : check.verdict === 'unknown'
            ? t`Free margin is not known now`
            : t`Free margin is not enough`,
      }),
      'leverage-allowed': () => ({
        title: good ? t`Leverage is allowed for this client` : t`Leverage is not allowed for this client`,
        text: good ? undefined : t`Allowed: ${ours ?? '–'}. Asked for: ${theirs ?? ours ?? '–'}.`,
      }),
      'no-open-positions': () => ({
        title: good ? (
          t`No open positions`
        ) : check.verdict === 'unknown' ? (
          t`Positions are not known now`
        ) : (
          <Plural value={Number(ours)} one="# open position" other="# open positions" />
        ),
      }),
      'amount-announced': () => ({
        title: good ? t`What arrived is what was announced` : t`What arrived is not what was announced`,
        text: good ? undefined : t`Announced ${money(ours) ?? '–'}, arrived ${money(theirs) ?? '–'}.`,
      }),
      'payer-is-client': () => ({
        title: good ? t`The payer is the client` : t`The payer has another name`,
        text: good ? undefined : sides(theirs, ours),
      }),
      'number-valid': () => ({ title: good ? t`Account number is valid` : t`Account number is not valid` }),
      'country-of-number': () => ({
        title: good ? t`The number belongs to the bank’s country` : t`The number belongs to another country`,
        text: good
          ? undefined
          : sides(theirs && countryName(theirs, i18n.locale), ours && countryName(ours, i18n.locale)),
      }),
      'number-elsewhere': () => ({
        title: good ? t`No other client uses this number` : t`Another client uses this number`,
      }),
      'statement-there': () => ({ title: good ? t`A statement was uploaded` : t`No statement was uploaded` }),
      'client-approved': () => ({ title: good ? t`The client is approved` : t`The client is not approved` }),
      'platform-connected': () => ({ title: good ? t`${ours ?? ''} is connected` : t`${ours ?? ''} is not connected` }),
      'rate-unchanged': () => ({
        title: good ? t`The rate is still in force` : t`The rate has changed since`,
        text: good ? undefined : t`Agreed ${rate(ours)}, now ${rate(theirs)}. The agreed one holds.`,
      }),
      twoOfThree: () => ({
        title: good
          ? t`${theirs ?? '0'} of 3 tests passed by the answers`
          : t`Only ${theirs ?? '0'} of 3 tests passed by the answers; 2 are needed`,
      }),
      accepted: () => ({
        title:
          theirs === null
            ? t`Accepted kind`
            : good
              ? t`Accepted in ${countryName(theirs, i18n.locale)}`
              : t`Not accepted in ${countryName(theirs, i18n.locale)}`,
        text: ours === null ? undefined : t`Risk level ${ours}`,
      }),
      valid: () => ({
        title: good ? t`Valid` : check.verdict === 'warn' ? t`Expires within 30 days` : t`Expired`,
        text: ours,
      }),
      issued: () => ({
        title: good ? t`Not older than 3 months` : t`Older than 3 months, or in the future`,
        text: ours,
      }),
      elsewhere: () => ({ title: good ? t`Number at no other client` : t`The same number at another client` }),
      mrz: () => ({
        title: good
          ? t`Check digits right`
          : check.verdict === 'unknown'
            ? t`Machine-readable zone not typed yet`
            : t`Check digits wrong`,
        text: theirs,
      }),
      scanned: () => ({ title: t`Not scanned for viruses yet` }),
      identity: () => ({ title: good ? t`Identity approved` : t`Identity not approved yet` }),
      address: () => ({ title: good ? t`Address approved` : t`Address not approved yet` }),
      countryRisk: () => ({ title: t`Country of residence: risk level ${theirs ?? '–'}` }),
      'country-risk': () => ({ title: t`Country of residence: risk level ${ours ?? '–'}` }),
      nationalityRisk: () => ({
        title: theirs === null ? t`Nationality not given` : t`Nationality: risk level ${theirs}`,
      }),
      sameDocument: () => ({
        title: good ? t`No document of another client` : t`A document of another client has the same number`,
      }),
      'other-requests': () => ({
        title: (
          <Plural
            value={Number(ours)}
            one="# other request of this client waits"
            other="# other requests of this client wait"
          />
        ),
      }),
      'flag-pep': () => ({ title: t`Flag: politically exposed person` }),
      'flag-sanction': () => ({ title: t`Flag: sanctions` }),
      'flag-watch': () => ({ title: t`Flag: watch` }),
    }
    const found = Object.hasOwn(known, check.code) ? known[check.code]?.() : undefined
    return found ?? { title: plainWords(check.code), text: check.note ?? (good ? undefined : sides(theirs, ours)) }
  }

  function sides(theirs: ReactNode, ours: ReactNode): ReactNode {
    return theirs === null && ours === null ? undefined : (
      <Trans>
        {theirs ?? '–'}, not {ours ?? '–'}
      </Trans>
    )
  }
}
