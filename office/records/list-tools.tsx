/** The tools above a list: search, status and export. */
import { useLingui } from '@lingui/react/macro'
import { type SyntheticEvent, useState } from 'react'
import { exportList, type exportedLists } from '#contract/office/list-export.ts'
import { FilterSelect } from '#ui/forms/select.tsx'
import { focusOnRender } from '#ui/a11y/focus.ts'
import type { ListFilters } from './list-filters.ts'
import { CsvButton } from './csv-button.tsx'
import './list-tools.css'

interface ListSearchProps {
  words: string
  onWords: (words: string) => void
  label: string
  /** Whether the field takes the focus, because it was requested. */
  begins?: boolean
}

export function ListSearch({ words, onWords, label, begins = false }: ListSearchProps) {
  const [text, setText] = useState(words)
  const [known, setKnown] = useState(words)
  // The URL is the source: a search text that was cleared or came with a link is shown in the field.
  if (known !== words) {
    setKnown(words)
    setText(words)
  }
  const search = (event: SyntheticEvent) => {
    event.preventDefault()
    onWords(text.trim())
  }
  return (
    <form role="search" onSubmit={search}>
      <input
        ref={begins ? focusOnRender : undefined}
        className="input"
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          if (event.target.value === '') onWords('')
        }}
      />
    </form>
  )
}

interface StatusFilterProps<State extends string> {
  filters: ListFilters
  states: readonly State[]
  word: (state: State) => string
  /** The label of the default, with no state chosen. */
  standard: string
  /** The label of the choice of all states, unless the default shows all. */
  all?: string
}

/** Filters a list by one state, or by its default states. */
export function StatusFilter<State extends string>(props: StatusFilterProps<State>) {
  const { filters, states, word, standard, all } = props
  const { t } = useLingui()
  return (
    <FilterSelect
      label={t`Status`}
      all={standard}
      value={filters.state}
      options={[
        ...states.map((state) => ({ value: state, label: word(state) })),
        ...(all === undefined ? [] : [{ value: 'all', label: all }]),
      ]}
      onValue={(state) => filters.set({ state })}
    />
  )
}

interface ExportButtonProps {
  list: (typeof exportedLists)[number]
  /** The filters and order on screen. */
  asked: Readonly<Record<string, string | undefined>>
}

/** Exports the filtered and sorted list, all of its pages. */
export function ExportButton({ list, asked }: ExportButtonProps) {
  const { t } = useLingui()
  const filled = Object.entries(asked).filter((one): one is [string, string] => Boolean(one[1]))
  const search = new URLSearchParams(filled).toString()
  return (
    <CsvButton
      path={exportList.path.replace(':list', list) + (search ? `?${search}` : '')}
      name={`${list}.csv`}
      className="list-export"
      size="small"
      aria-label={t`Export list as CSV`}
    />
  )
}
