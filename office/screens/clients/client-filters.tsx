import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { clientFlagLabels } from '#contract/office/flag-labels.ts'
import { clientSteps, funnelLabels } from '#contract/office/reports.ts'
import { reviewLabels } from '#contract/office/review-labels.ts'
import { clientFlags } from '#rules/choices.ts'
import { riskLevels } from '#rules/constants.ts'
import { reviews } from '#rules/reviews.ts'
import { Button } from '#ui/forms/button.tsx'
import { Select } from '#ui/forms/select.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { PopoverButton } from '#ui/overlays/popover-button.tsx'
import { useCanRead } from '../../session.ts'

export const levels = riskLevels.map((level) => `${level}` as const)

const names = ['reached', 'review', 'clientStatus', 'riskLevel', 'flag'] as const
type Name = (typeof names)[number]

type Chosen = Readonly<Partial<Record<Name, string | undefined>>>

interface ClientFiltersProps {
  own: Chosen
  onFilters: (change: Record<string, string>) => void
}

/** The filters of the list of clients in one menu, so that the tools above it share a line. */
export function ClientFilters({ own, onFilters }: ClientFiltersProps) {
  const { t } = useLingui()
  const filters = useFilters()
  const chosen = useChosenFilters(own)
  const face = chosen.length > 0 ? plural(chosen.length, { one: '# filter', other: '# filters' }) : t`Filters`
  return (
    <PopoverButton
      name={chosen.length > 0 ? `${face}: ${chosen.join(', ')}` : face}
      look="button outline small"
      face={face}
    >
      {(close) => (
        <>
          <div className="stack">
            {filters.map(({ name, label, all, options }) => (
              <Select
                key={name}
                label={label}
                value={own[name] ?? ''}
                onChange={({ target }) => onFilters({ [name]: target.value })}
                options={[{ value: '', label: all }, ...options]}
              />
            ))}
          </div>
          <div className="row">
            <Button
              size="small"
              onClick={() => {
                close()
                onFilters(Object.fromEntries(names.map((name) => [name, ''])))
              }}
            >{t`Clear`}</Button>
          </div>
        </>
      )}
    </PopoverButton>
  )
}

/** Returns the labels of the chosen filters: the menu shows only how many there are. */
export function useChosenFilters(own: Chosen): readonly string[] {
  return useFilters().flatMap(({ name, options }) => options.find(({ value }) => value === own[name])?.label ?? [])
}

interface Filter {
  name: Name
  label: string
  /** The choice that filters nothing. */
  all: string
  options: readonly { value: string; label: string }[]
}

/** Returns the filters; the one by review only for those who may use it. */
function useFilters(): readonly Filter[] {
  const { t } = useLingui()
  const flagLabel = useLabels(clientFlagLabels)
  const stepLabel = useLabels(funnelLabels)
  const reviewLabel = useLabels(reviewLabels)
  const mayReview = useCanRead('documents')
  return [
    {
      name: 'clientStatus',
      label: t`Client category`,
      all: t`Any client category`,
      options: [
        { value: 'retail', label: t`Retail` },
        { value: 'professional', label: t`Professional` },
      ],
    },
    {
      name: 'riskLevel',
      label: t`Risk level`,
      all: t`Any risk`,
      options: levels.map((level) => ({ value: level, label: t`Risk level ${level}` })),
    },
    {
      name: 'flag',
      label: t`Flag`,
      all: t`Any flag or none`,
      options: clientFlags.map((value) => ({ value, label: flagLabel(value) })),
    },
    ...(mayReview
      ? [
          {
            name: 'review' as const,
            label: t`Review`,
            all: t`Any review or none`,
            options: reviews.map((value) => ({ value, label: reviewLabel(value) })),
          },
        ]
      : []),
    {
      name: 'reached',
      label: t`Step reached`,
      all: t`Any step`,
      options: clientSteps.map((value) => ({ value, label: stepLabel(value) })),
    },
  ]
}
