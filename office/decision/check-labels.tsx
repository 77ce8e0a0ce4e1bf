import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Check } from '#contract/office/briefs.ts'
import { currencies } from '#rules/money.ts'
import { Checklist, type ChecklistRow } from '#ui/data/checklist.tsx'
import { moneyText } from '#ui/money/money.tsx'
import { rateText } from '#ui/money/rate-format.ts'
import { codeAsText } from '../records/work-item-labels.ts'
import { countryName } from './country-name.ts'

const tones = { ok: 'ok', warn: 'wait', differs: 'bad', unknown: 'plain' } as const

/** The server's checks as text, with both values below if they differ. */
export function CheckLabels({ checks, currency }: { checks: readonly Check[]; currency?: string | null }) {
  return <Checklist checks={checks.map(useCheckRow(currency ?? null))} />
}

/** Returns one check as the row of a list. */
export function useCheckRow(currency: string | null): (check: Check) => ChecklistRow {
  const words = useCheckLabels(currency)
  return (check) => ({ tone: tones[check.verdict], ...words(check) })
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
      'leverage-allowed': () => ({
        title: good ? t`Leverage is allowed for this client` : t`Leverage is not allowed for this client`,
        text: good ? undefined : t`Allowed: ${ours ?? '–'}. Requested: ${theirs ?? ours ?? '–'}.`,
      }),
      'no-open-positions': () => ({
        title: good ? (
          t`No open positions`
        ) : check.verdict === 'unknown' ? (
          t`Positions not available`
        ) : (
          <Plural value={Number(ours)} one="# open position" other="# open positions" />
        ),
      }),
      'amount-announced': () => ({
        title: good ? t`Received amount matches` : t`Received amount does not match`,
        text: good ? undefined : t`Expected ${money(ours) ?? '–'}, received ${money(theirs) ?? '–'}.`,
      }),
      'payer-is-client': () => ({
        title: good ? t`Payer name matches the client` : t`Payer name differs from the client’s current name`,
        text: good ? undefined : sides(theirs, ours),
      }),
      'number-valid': () => ({ title: good ? t`Account number is valid` : t`Account number is not valid` }),
      'country-of-number': () => ({
        title: good ? t`The number belongs to the bank’s country` : t`The number belongs to another country`,
        text: good
          ? undefined
          : sides(theirs && countryName(theirs, i18n.locale), ours && countryName(ours, i18n.locale)),
      }),
      'statement-there': () => ({ title: good ? t`A statement was uploaded` : t`No statement has been uploaded` }),
      'client-approved': () => ({ title: good ? t`The client is approved` : t`The client is not approved` }),
      'platform-connected': () => ({ title: good ? t`${ours ?? ''} is connected` : t`${ours ?? ''} is not connected` }),
      'rate-unchanged': () => ({
        title: good ? t`The exchange rate still applies` : t`The exchange rate has changed`,
        text: good ? undefined : t`Agreed rate ${rate(ours)}, current rate ${rate(theirs)}. The agreed rate applies.`,
      }),
      twoOfThree: () => ({
        title: good
          ? t`${theirs ?? '0'} of 3 criteria met based on the answers`
          : t`Only ${theirs ?? '0'} of 3 criteria met based on the answers. 2 are required.`,
      }),
      accepted: () => ({
        title:
          theirs === null
            ? t`Accepted type`
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
        title: good ? t`Not older than 3\u00a0months` : t`Older than 3\u00a0months or dated in the future`,
        text: ours,
      }),
      elsewhere: () => ({ title: good ? t`Document number is unique` : t`Another client has the same number` }),
      mrz: () => ({
        title: good
          ? t`Check digits valid`
          : check.verdict === 'unknown'
            ? t`Machine-readable zone not entered yet`
            : t`Check digits invalid`,
        text: theirs,
      }),
      metadata: () => ({
        title: (
          <Plural
            value={Number(theirs)}
            one="# warning in the file’s metadata"
            other="# warnings in the file’s metadata"
          />
        ),
      }),
      scanned: () => ({ title: t`Not scanned for viruses yet` }),
      identity: () => ({ title: good ? t`Identity approved` : t`Identity not approved yet` }),
      address: () => ({ title: good ? t`Address approved` : t`Address not approved yet` }),
      countryRisk: () => ({ title: t`Country of residence: risk level ${theirs ?? '–'}` }),
      nationalityRisk: () => ({
        title: theirs === null ? t`Nationality not given` : t`Nationality: risk level ${theirs}`,
      }),
    }
    const found = Object.hasOwn(known, check.code) ? known[check.code]?.() : undefined
    return found ?? { title: codeAsText(check.code), text: check.note ?? (good ? undefined : sides(theirs, ours)) }
  }

  function sides(actual: ReactNode, expected: ReactNode): ReactNode {
    return actual === null && expected === null ? undefined : (
      <Trans>
        {actual ?? '–'}, not {expected ?? '–'}
      </Trans>
    )
  }
}
