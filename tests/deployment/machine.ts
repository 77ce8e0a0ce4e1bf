/** What the drills need of this machine: a bare Debian, and a copy of the checkout. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const root = dirname(dirname(import.meta.dirname))
const suite = 'bookworm'

/** Returns an archive of Debian's essential packages and the named ones; made once, and kept under .cache. */
export async function bareDebian(packages: readonly string[]): Promise<string> {
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
  execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', ...include, suite, `${archive}.part.tar`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  renameSync(`${archive}.part.tar`, archive)
  return archive
}

/** Copies the files that git knows, as a fresh checkout has them. */
export function copyOfCheckout(to: string): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
  for (const path of listed.toString().split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(to, path)), { recursive: true })
    cpSync(join(root, path), join(to, path), { verbatimSymlinks: true })
  }
}
