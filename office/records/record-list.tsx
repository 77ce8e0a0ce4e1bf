import { Fragment, type ReactNode } from 'react'
import { IconColumns3 } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import type { exportedLists } from '#contract/office/list-export.ts'
import type { ViewedList } from '#contract/office/saved-views.ts'
import { type Column, Table, type TableProps } from '#ui/data/table.tsx'
import { Button } from '#ui/forms/button.tsx'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { PopoverButton } from '#ui/overlays/popover-button.tsx'
import { AmountFilter } from './amount-filter.tsx'
import { DaysFilter } from './days-filter.tsx'
import type { ListFilters } from './list-filters.ts'
import { ListPagination, listPlaceholder, type ListRead } from './list-rows.tsx'
import { ExportButton, ListSearch } from './list-tools.tsx'
import { SavedViews } from './saved-views.tsx'

export interface ListColumn<Row> extends Column<Row> {
  /** Names the column among those chosen in the URL. */
  key: string
}

interface ListToolsProps<Row> {
  list: ViewedList
  /** The path of the list without its filters. */
  path: string
  filters: ListFilters
  /** What the search finds. */
  search: string
  /** The event of the days, if a list shows several times; null if it has none. */
  days?: string | null
  /** Filters of the list's own, before the search. */
  own?: ReactNode
  /** The name of its export, with further parameters; omitted if it has no export. */
  file?: { list: (typeof exportedLists)[number]; asked?: Readonly<Record<string, string | undefined>> }
  /** The columns to choose from; omitted if they are fixed. */
  columns?: readonly ListColumn<Row>[]
  /** After the filters. */
  children?: ReactNode
}

/** The tools above a list: its views, filters, columns and export. */
export function ListTools<Row>(props: ListToolsProps<Row>) {
  const { list, path, filters, search, days, own, file, columns, children } = props
  return (
    <div className="list-tools">
      <SavedViews list={list} path={path} />
      <div className="queue-tools">
        {own}
        <Fragment key={filters.cleared}>
          <ListSearch words={filters.q} onWords={(q) => filters.set({ q })} label={search} />
          {days !== null && (
            <DaysFilter asked={filters.days} onDays={(asked) => filters.set({ ...asked })} label={days} />
          )}
        </Fragment>
        {filters.amount && (
          <AmountFilter
            asked={filters.amount}
            signed={filters.amount.signed}
            onAmount={({ currency, amountFrom, amountTo }) => filters.set({ currency, amountFrom, amountTo })}
          />
        )}
        {columns && (
          <ColumnChoice
            columns={columns}
            chosen={filters.columns}
            onColumns={(chosen) => filters.set({ columns: chosen })}
          />
        )}
        {children}
        {file && <ExportButton list={file.list} asked={{ ...filters.asked, ...file.asked }} />}
      </div>
    </div>
  )
}

interface RecordListProps<Row>
  extends Omit<ListToolsProps<Row>, 'file'>, Omit<TableProps<Row>, 'sort' | 'onSort' | 'columns' | 'rows'> {
  /** Also the name of its export. */
  list: ViewedList & (typeof exportedLists)[number]
  /** Further parameters of its export. */
  exported?: Readonly<Record<string, string | undefined>>
  columns: readonly ListColumn<Row>[]
  read: ListRead<Row>
  /** The rows, if not those that are read. */
  rows?: readonly Row[]
  /** The empty state; omitted if `instead` has one. */
  empty?: string
  /** Between the rows and the pagination. */
  legend?: ReactNode
}

/** A list of the back office: views, filters, columns, export, rows that are links, and pagination. */
export function RecordList<Row>(props: RecordListProps<Row>) {
  const { list, filters, columns, read, empty, exported = {}, legend } = props
  return (
    <>
      <ListTools {...props} file={{ list, asked: exported }} />
      <div className="sheet">
        <Table
          rows={read.data?.rows ?? []}
          instead={empty !== undefined && listPlaceholder(read, filters, empty)}
          {...props}
          columns={visibleColumns(columns, filters.columns)}
          sort={filters.sort}
          onSort={({ by, direction }) => filters.set({ sort: by, direction })}
        />
      </div>
      {legend}
      <ListPagination pages={filters.pages} next={read.data?.next} />
    </>
  )
}

/**
 * Returns the columns that the URL names; without names all. The first one contains the row's link and is always shown.
 */
function visibleColumns<Row>(columns: readonly ListColumn<Row>[], chosen: string): readonly ListColumn<Row>[] {
  const keys = chosen === '' ? [] : chosen.split(',')
  if (!columns.some(({ key }) => keys.includes(key))) return columns
  return columns
    .filter(({ key }, place) => place === 0 || keys.includes(key))
    .map(({ wideOnly: _wideOnly, ...column }) => column)
}

interface ColumnChoiceProps<Row> {
  columns: readonly ListColumn<Row>[]
  /** As in the URL: keys with commas, '' for the list's default. */
  chosen: string
  onColumns: (chosen: string) => void
}

/** The choice of the shown columns of a list. */
function ColumnChoice<Row>({ columns, chosen, onColumns }: ColumnChoiceProps<Row>) {
  const { t } = useLingui()
  const shown = visibleColumns(columns, chosen).map(({ key }) => key)
  const toggle = (key: string) => {
    const next = columns.filter((one) => (one.key === key ? !shown.includes(key) : shown.includes(one.key)))
    onColumns(next.length === columns.length ? '' : next.map((one) => one.key).join(','))
  }
  return (
    <PopoverButton
      name={t`Columns`}
      look="button outline small"
      face={
        <>
          <IconColumns3 className="small" aria-hidden="true" />
          {t`Columns`}
        </>
      }
    >
      {() => (
        <>
          <div className="stack" role="group" aria-label={t`Columns`}>
            {columns.map(({ key, head }, place) => (
              <Checkbox key={key} checked={shown.includes(key)} disabled={place === 0} onChange={() => toggle(key)}>
                {head}
              </Checkbox>
            ))}
          </div>
          <div className="row">
            <Button size="small" onClick={() => onColumns('')}>{t`All columns`}</Button>
          </div>
        </>
      )}
    </PopoverButton>
  )
}
