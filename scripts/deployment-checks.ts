/**
 * The commands that test the deployment on real machines, and their requirements; .ci/run runs those that are possible.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

interface Needs {
  readonly programs: readonly string[]
  readonly root: boolean
}

export const deploymentChecks = {
  image: { programs: ['buildah', 'mmdebstrap'], root: true },
  drain: { programs: ['nginx', 'openssl'], root: false },
  'deploy-drill': { programs: ['mmdebstrap', 'unshare', 'ip', 'chroot', 'openssl'], root: true },
} as const satisfies Record<string, Needs>

/** Returns what the machine lacks for a check; empty if it can run. */
export function missingFor(check: keyof typeof deploymentChecks): string[] {
  const { programs, root } = deploymentChecks[check]
  return [...(root && process.getuid?.() !== 0 ? ['root'] : []), ...programs.filter((program) => !isInstalled(program))]
}

function isInstalled(program: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Ends the process if something is missing: successfully with `--if-possible`, otherwise with an error. */
export function requireMachine(check: keyof typeof deploymentChecks): void {
  const missing = missingFor(check)
  if (missing.length === 0) return
  console.log(`${check}: not run, because this is missing: ${missing.join(', ')}.`)
  process.exit(process.argv.includes('--if-possible') ? 0 : 1)
}
