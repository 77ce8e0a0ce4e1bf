/** What the drills need on this machine: a bare Debian, and a copy of the checkout. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const root = dirname(dirname(import.meta.dirname))

/** Returns an archive of Debian's essential packages and the named ones; created once, and stored under .cache. */
export async function bareDebian(
  packages: readonly string[],
  suite: 'bookworm' | 'forky' = 'bookworm',
): Promise<string> {
  const folder = join(root, '.cache', 'deployment')
  const key = createHash('sha256')
    .update([suite, ...packages].join(' '))
    .digest('hex')
    .slice(0, 12)
  const archive = join(folder, `debian-${key}.tar`)
  if (existsSync(archive)) return archive
  mkdirSync(folder, { recursive: true })
  const include = packages.length > 0 ? [`--include=${packages.join(',')}`] : []
  console.log(`A bare Debian is made by mmdebstrap, with ${packages.join(', ')} …`)
  // The testing suite is valid for a few days; an older copy of it is good enough here.
  const dated = suite === 'forky' ? ['--aptopt=Acquire::Check-Valid-Until "false"'] : []
  execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', ...dated, ...include, suite, `${archive}.part.tar`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  renameSync(`${archive}.part.tar`, archive)
  return archive
}

/** Copies the files that git knows, as in a fresh checkout. */
export function copyOfCheckout(to: string): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
  for (const path of listed.toString().split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(to, path)), { recursive: true })
    cpSync(join(root, path), join(to, path), { verbatimSymlinks: true })
  }
}
