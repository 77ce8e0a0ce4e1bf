/** Changes roles and settings while there are not two administrators to decide on them (requirements 21.3). */
import { email as emailField } from '#contract/fields.ts'
import pino from 'pino'
import { settingSectionNames, type Setting, type SettingSection } from '#contract/setting-sections.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { checkStaffChange, checkTwoAdministrators, staffMachine } from '#rules/staff.ts'
import { recordEvent } from '../db/events.ts'
import { row, run, sql, transaction, type Transaction } from '../db/sql.ts'
import { checkPlatformClock } from '../features/firm-settings/check-platform-clock.ts'
import { checkPlatformGroups } from '../features/firm-settings/check-platform-groups.ts'
import { readSection } from '../features/firm-settings/check-section.ts'
import { detailsOf, orderedDifferences } from '../features/firm-settings/differences.ts'
import { toWireForm } from '../features/firm-settings/save-setting.ts'
import { countAdministrators, lockAdministrators } from '../features/staff/queries.ts'
import { connectIntegrations } from '../integrations/connect.ts'
import { readSetting, writeSetting } from '../settings/settings.ts'
import { auditContextOf, CommandError, type OperatorContext } from './context.ts'

function parseEmail(text: string): string {
  const parsed = emailField.safeParse(text)
  if (!parsed.success) throw new CommandError(`"${text}" is not a valid email address.`)
  return parsed.data
}

async function assertNotTwoAdministrators(tx: Transaction): Promise<void> {
  if (checkTwoAdministrators(await countAdministrators(tx)) === null) {
    throw new CommandError('There are two active administrators. Make this change in the back office.')
  }
}

/** Sets a person's roles, while fewer than two administrators could do it in the back office. */
export async function setRoles(
  context: OperatorContext,
  change: { email: string; roles: readonly string[]; reason: string },
): Promise<void> {
  const roles = change.roles.map((role) => {
    if (!(staffRoles as readonly string[]).includes(role))
      throw new CommandError(`"${role}" is not a role. Roles: ${staffRoles.join(', ')}.`)
    return role as StaffRole
  })
  if (change.reason === '') throw new CommandError('Enter a reason: --reason "..."')
  await transaction(context.pool, async (tx) => {
    await assertNotTwoAdministrators(tx)
    const administrators = await lockAdministrators(tx)
    const member = await row<{ id: string; roles: StaffRole[]; state: string }>(
      tx,
      sql`select id, roles, state from staff where email = ${parseEmail(change.email)} and state <> 'deactivated' for update`,
    )
    if (!member) throw new CommandError('No staff member has this email address. Check the address.')
    const otherActiveAdministrators = administrators.filter((id) => id !== member.id).length
    const wasAdministrator = administrators.includes(member.id)
    const code = checkStaffChange({ own: false, roles, wasAdministrator, otherActiveAdministrators })
    if (code === 'last-administrator')
      throw new CommandError(
        'The last active administrator cannot be removed. Assign the role to another person first.',
      )
    if (code !== null)
      throw new CommandError(
        code === 'auditor-alone' ? 'An auditor cannot have another role.' : 'Enter at least one role.',
      )
    await run(tx, sql`update staff set roles = ${roles}::text[], version = version + 1 where id = ${member.id}`)
    const details = { before: { roles: member.roles }, after: { roles } }
    await recordEvent(tx, auditContextOf(context), {
      kind: staffMachine.name,
      action: 'changeRoles',
      record: member.id,
      reason: change.reason,
      details,
    })
  })
}

/**
 * Writes a section's next version from JSON, while fewer than two administrators could approve it in the back office.
 */
export async function setSetting(
  context: OperatorContext,
  change: { section: string; json: string; reason: string },
): Promise<number> {
  if (!(settingSectionNames as string[]).includes(change.section))
    throw new CommandError(`Section "${change.section}" does not exist. Sections: ${settingSectionNames.join(', ')}.`)
  if (change.reason === '') throw new CommandError('Enter a reason: --reason "..."')
  const section = change.section as SettingSection
  const value = readSection(section, parseJson(change.json), 'en')
  await checkAtPlatforms(context, section, value)
  const version = await transaction(context.pool, async (tx) => {
    await assertNotTwoAdministrators(tx)
    const current = await readSetting(tx, section, context.now())
    const changes = orderedDifferences(toWireForm(section, current.value), toWireForm(section, value))
    if (changes.length === 0) throw new CommandError('The file matches the current setting. Nothing was saved.')
    await writeSetting(tx, section, {
      value,
      version: current.version + 1,
      by: null,
      reason: change.reason,
      now: context.now(),
    })
    await recordEvent(tx, auditContextOf(context), {
      kind: 'settings',
      action: 'save',
      reason: change.reason,
      details: detailsOf(section, changes),
    })
    return current.version + 1
  })
  context.settings.forget(section)
  return version
}

/** Checks a setting on the platforms, only if it names something of theirs. */
async function checkAtPlatforms(context: OperatorContext, section: SettingSection, value: Setting<SettingSection>) {
  await checkPlatformClock(context.pool, section, value, 'en')
  if (section !== 'platformGroups') return
  const { value: current } = await readSetting(context.pool, section, context.now())
  const { parts, close } = connectIntegrations(context.config, pino({ level: 'silent' }), context.now)
  try {
    await checkPlatformGroups({ config: context.config, ...parts }, section, { value, current }, 'en')
  } finally {
    await close()
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new CommandError('The file is not valid JSON.')
  }
}
