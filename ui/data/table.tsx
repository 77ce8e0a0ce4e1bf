import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { useLocation, useRouter } from 'wouter'
import { Link } from '../navigation/link.tsx'
import { Skeleton } from '../feedback/content-states.tsx'
import './table.css'

export interface Column<Row> {
  head: ReactNode
  cell: (row: Row) => ReactNode
  /** Figures are aligned right, text left. */
  align?: 'right'
  /** The server's sort field; a column without it cannot be sorted. */
  sort?: string
  /** The position of the cell in the two-line row on a phone; omitted: only in the drawer or page. */
  phone?: 'title' | 'figure' | 'time' | 'status'
  /** Omitted in a narrow table: the row's drawer or page has it. */
  wideOnly?: true
}

export interface Sort {
  by: string
  direction: 'asc' | 'desc'
}

export interface TableProps<Row> {
  /** Describes the table for screen readers only. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Returns the page or drawer of a row: the whole row is clickable, the first cell contains the link. */
  rowHref?: (row: Row) => string
  /** Returns the tint of a row that needs attention: pending or wrong. */
  rowTone?: (row: Row) => 'wait' | 'bad' | undefined
  /** The row in the open drawer, or the selected one. */
  selectedKey?: string | null
  sort?: Sort
  onSort?: (sort: Sort) => void
  /** Rows of the footer, with a double rule; one cell per column. */
  foot?: readonly ReactNode[]
  /** The operands of the footer's sum, in a row above it; omitted if rows have two lines. */
  subtotal?: readonly ReactNode[]
  /** Shown instead of rows: an <Empty/>, an <ErrorPanel/>. Without it and without rows the table shows placeholders. */
  instead?: ReactNode
  busy?: boolean
}

/** Keys of placeholder rows while loading. */
const skeletonRows = ['first', 'second', 'third', 'fourth', 'fifth']

/**
 * A rule below the head, hairlines between rows; below 840 px a row has two lines, so that its status stays visible.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  rowHref,
  rowTone,
  selectedKey,
  sort,
  onSort,
  foot,
  subtotal,
  instead,
  busy,
}: TableProps<Row>) {
  const [, navigate] = useLocation()
  const { base } = useRouter()
  // A click anywhere in a row counts as one on its link: with Ctrl or the middle button in a new tab.
  const follow = (event: MouseEvent, href: string) => {
    if (event.button > 1 || isControlOrSelection(event.target)) return
    if (event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey) window.open(base + href, '_blank')
    else navigate(href)
  }
  const waiting = !instead && rows.length === 0
  return (
    <div className={columns.some(({ wideOnly }) => wideOnly) ? 'table-frame measured' : 'table-frame'}>
      <table className="table" aria-busy={busy || waiting || undefined} data-waiting={waiting ? '' : undefined}>
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" className={cellClass(column)} aria-sort={sortOf(column, sort)}>
                {column.sort && onSort ? <SortButton column={column} sort={sort} onSort={onSort} /> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {!instead &&
            rows.map((row) => {
              const key = rowKey(row)
              const href = rowHref?.(row)
              return (
                <tr
                  key={key}
                  className={href ? 'table-row-link' : undefined}
                  data-tone={rowTone?.(row)}
                  data-selected={key === selectedKey ? '' : undefined}
                  onClick={href ? (event) => follow(event, href) : undefined}
                  onAuxClick={href ? (event) => follow(event, href) : undefined}
                >
                  {columns.map((column, index) => (
                    <td key={index} className={cellClass(column)} data-phone={column.phone ?? 'none'}>
                      {href && index === 0 ? <Link href={href}>{column.cell(row)}</Link> : column.cell(row)}
                    </td>
                  ))}
                </tr>
              )
            })}
          {waiting &&
            skeletonRows.map((key) => (
              <tr key={key}>
                {columns.map((column, index) => (
                  <td key={index} className={cellClass(column)} data-phone={column.phone ?? 'none'}>
                    <Skeleton width="100%" />
                  </td>
                ))}
              </tr>
            ))}
          {instead && (
            <tr className="table-instead">
              <td colSpan={columns.length}>{instead}</td>
            </tr>
          )}
        </tbody>
        {foot && !instead && (
          <tfoot>
            {subtotal && <FootRow columns={columns} cells={subtotal} look="table-subtotal" />}
            <FootRow columns={columns} cells={foot} />
          </tfoot>
        )}
      </table>
    </div>
  )
}

interface FootRowProps<Row> extends Pick<TableProps<Row>, 'columns'> {
  cells: readonly ReactNode[]
  look?: 'table-subtotal'
}

function FootRow<Row>({ columns, cells, look }: FootRowProps<Row>) {
  return (
    <tr className={look}>
      {columns.map((column, index) => (
        <td key={index} className={cellClass(column)}>
          {cells[index]}
        </td>
      ))}
    </tr>
  )
}

function cellClass<Row>({ align, wideOnly }: Column<Row>): string | undefined {
  return [align, wideOnly && 'wide-only'].filter(Boolean).join(' ') || undefined
}

interface SortButtonProps<Row> {
  column: Column<Row>
  sort: Sort | undefined
  onSort: (sort: Sort) => void
}

function SortButton<Row>({ column, sort, onSort }: SortButtonProps<Row>) {
  const by = column.sort ?? ''
  const current = sort?.by === by ? sort.direction : null
  const Arrow = current === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <button type="button" onClick={() => onSort({ by, direction: current === 'desc' ? 'asc' : 'desc' })}>
      {column.head}
      <Arrow className="small" aria-hidden="true" style={current ? undefined : { visibility: 'hidden' }} />
    </button>
  )
}

function sortOf<Row>(column: Column<Row>, sort: Sort | undefined): 'ascending' | 'descending' | undefined {
  if (!column.sort || sort?.by !== column.sort) return undefined
  return sort.direction === 'asc' ? 'ascending' : 'descending'
}

/** Returns whether a click belongs to a control in the row, or ends a text selection. */
function isControlOrSelection(target: EventTarget): boolean {
  if (target instanceof Element && target.closest('a, button, input, label, select')) return true
  return Boolean(globalThis.getSelection()?.toString())
}
