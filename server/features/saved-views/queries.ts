/** SQL of saved views. */
import type { ViewedList } from '#contract/office/saved-views.ts'
import type { StaffId } from '#rules/ids.ts'
import type { StaffState } from '#rules/staff.ts'
import { row, rows, run, type Connection, type Transaction } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'

interface ViewFields {
  readonly name: string
  readonly query: Readonly<Record<string, string>>
  readonly shared: boolean
}

export interface ViewRow extends ViewFields {
  readonly id: string
  readonly ownerId: StaffId
  readonly ownerName: string
  readonly ownerState: StaffState
}

/** Returns one person's views of a list and those shared by others, the person's own first. */
export async function viewsOf(connection: Connection, list: ViewedList, staffId: StaffId): Promise<ViewRow[]> {
  return rows<ViewRow>(connection)`
    select v.id, v.name, v.query, v.shared, v.owner as "ownerId", s.name as "ownerName", s.state as "ownerState"
      from saved_views v join staff s on s.id = v.owner
      where v.list = ${list} and (v.owner = ${staffId} or v.shared) order by v.owner <> ${staffId}, v.created_at, v.id`
}

/** Returns a view of its owner with its list, locked until the transaction ends; null for another person's. */
export async function lockOwnView(tx: Transaction, id: string, staffId: StaffId) {
  return row<ViewFields & { list: ViewedList }>(tx)`
    select list, name, query, shared from saved_views where id = ${uuidOrNull(id)}::uuid and owner = ${staffId} for update`
}

/** Deletes a view that a person shared who has left. Returns what it was; null for any other view. */
export async function removeLeftView(tx: Transaction, id: string) {
  return row<{ id: string; list: ViewedList; staff: string }>(tx)`
    delete from saved_views v using staff s
      where v.id = ${uuidOrNull(id)}::uuid and v.shared and s.id = v.owner and s.state = 'deactivated'
      returning v.id, v.list, s.name as staff`
}

/** Locks the person, so that two concurrent saves do not both find a name free. Returns how many views the list has. */
export async function lockViews(tx: Transaction, list: ViewedList, staffId: StaffId): Promise<number> {
  await run(tx)`select from staff where id = ${staffId} for no key update`
  const found = await row<{ count: number }>(tx)`
    select count(*)::int as count from saved_views where owner = ${staffId} and list = ${list}`
  return found?.count ?? 0
}

/** Returns whether another view of the same list and person has the name. */
export async function isNameUsed(
  tx: Transaction,
  { list, staffId, name, except }: { list: ViewedList; staffId: StaffId; name: string; except: string | null },
): Promise<boolean> {
  const found = await row<{ id: string }>(tx)`
    select id from saved_views where owner = ${staffId} and list = ${list} and lower(name) = lower(${name})
      and id is distinct from ${except}::uuid`
  return found !== null
}
