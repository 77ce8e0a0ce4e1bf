import { IconHistory } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import type { HistoryList } from '#contract/history.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { useStatusLabel } from '#ui/data/status-badge.tsx'
import { accountNumberText } from '../../funding/accounts.ts'
import { longDay } from '#ui/text/days.ts'
import { usePortalSettings, usePossiblePayments } from '../../portal-settings.ts'
import { type HistoryFilters, isFiltered, kindOf } from './history-url.ts'

interface EmptyHistoryProps {
  list: HistoryList
  filters: HistoryFilters
  onClear: () => void
}

/** Says what will appear here; with filters, that nothing matches them. */
export function EmptyHistory({ list, filters, onClear }: EmptyHistoryProps) {
  const { t } = useLingui()
  const sentence = useFilterSentence(list, filters)
  const isPossible = usePossiblePayments()[list]
  const isEnded = usePortalSettings()?.windDown.deposits === true
  if (isFiltered(filters))
    return <EmptyState level="h2" title={sentence} action={<Button onClick={onClear}>{t`Clear filters`}</Button>} />
  const words = {
    deposits: {
      title: t`No deposits yet`,
      text: isEnded ? t`Deposits are not available.` : t`Your deposits will appear here.`,
      href: portalPaths.depositFunds,
      command: t`Deposit Funds`,
    },
    withdrawals: {
      title: t`No withdrawals yet`,
      text: t`Your withdrawals will appear here.`,
      href: portalPaths.withdrawFunds,
      command: t`Withdraw Funds`,
    },
    transfers: {
      title: t`No internal transfers yet`,
      text: t`Transfers between your accounts will appear here.`,
      href: portalPaths.internalTransfer,
      command: t`Internal Transfer`,
    },
  }[list]
  return (
    <EmptyState
      level="h2"
      icon={<IconHistory aria-hidden="true" />}
      title={words.title}
      action={isPossible && <ButtonLink href={words.href}>{words.command}</ButtonLink>}
    >
      {words.text}
    </EmptyState>
  )
}

/** "No withdrawals between 1 April 2026 and 19 June 2026 with the status Rejected." */
function useFilterSentence(list: HistoryList, { account, status, from, to }: HistoryFilters): string {
  const { t, i18n } = useLingui()
  const word = useStatusLabel(kindOf[list])
  const first = from === undefined ? '' : longDay(from, i18n.locale)
  const last = to === undefined ? '' : longDay(to, i18n.locale)
  const what = { deposits: t`No deposits`, withdrawals: t`No withdrawals`, transfers: t`No internal transfers` }[list]
  const when =
    first && last ? t`between ${first} and ${last}` : first ? t`since ${first}` : last ? t`until ${last}` : ''
  const where = account === undefined ? '' : t`on account ${accountNumberText(account)}`
  const which = status === undefined ? '' : t`with the status ${word(status)}`
  return `${[what, when, where, which].filter(Boolean).join(' ')}.`
}
