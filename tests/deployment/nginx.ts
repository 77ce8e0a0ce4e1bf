/** Debian's own nginx with the example of deploy/nginx, in a separate directory and on separate ports. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startProgram, type Program } from './surroundings.ts'

const examples = join(dirname(dirname(import.meta.dirname)), 'deploy', 'nginx')

interface Options {
  readonly folder: string
  readonly ports: { readonly plain: number; readonly secure: number }
  readonly upstreams: readonly [number, number]
}

/** Writes the distribution's nginx.conf and the example, with only paths, ports and servers changed. */
export function writeNginx({ folder, ports, upstreams }: Options): string {
  const home = join(folder, 'nginx')
  for (const name of ['conf.d', 'certificates', 'log', 'body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'])
    mkdirSync(join(home, name), { recursive: true })
  const moved = (text: string) =>
    text
      .replaceAll('/etc/nginx/', `${home}/`)
      .replaceAll('/var/log/nginx/', `${home}/log/`)
      .replaceAll('listen 443', `listen 127.0.0.1:${ports.secure}`)
      .replaceAll('listen 80', `listen 127.0.0.1:${ports.plain}`)
      // The drills need the reason of a rejection.
      .replace('error.log crit', 'error.log error')
      .replace('web-1:3000', `127.0.0.1:${upstreams[0]}`)
      .replace('web-2:3000', `127.0.0.1:${upstreams[1]}`)
  for (const file of readdirSync(examples)) {
    const to = file === 'portal.conf' ? join(home, 'conf.d', file) : join(home, file)
    writeFileSync(to, moved(readFileSync(join(examples, file), 'utf8')))
  }
  writeFileSync(join(home, 'mime.types'), readFileSync('/etc/nginx/mime.types'))
  const stock = readFileSync('/etc/nginx/nginx.conf', 'utf8')
    .replace(/^user .*$/m, 'user root;')
    .replace(/^pid .*$/m, `pid ${home}/nginx.pid;`)
    .replace(/^include .*modules-enabled.*$/m, '')
    .replace(/^\s*include .*sites-enabled.*$/m, '')
    .replace(
      /^http \{$/m,
      `http {\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((part) => `${part}_temp_path ${home}/${part === 'client_body' ? 'body' : part};`).join('\n')}`,
    )
  writeFileSync(join(home, 'nginx.conf'), moved(stock))
  return home
}

const program = existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : 'nginx'

/** Makes nginx read its configuration; throws with its output if it rejects it. */
export function testNginx(home: string): void {
  execFileSync(program, ['-t', '-q', '-p', home, '-c', join(home, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

export function startNginx(home: string): Program {
  const args = ['-p', home, '-c', join(home, 'nginx.conf'), '-g', 'daemon off;']
  return startProgram(program, args, { env: process.env, log: join(home, 'log', 'output') })
}
