/** The clocks of a test: the server's and its platform's. */
import type { ServerWithPlatform } from './funded-account.ts'

/** Sets both to the same time; the platform's is that of UTC. */
export async function setBothClocks(
  { server, platform }: Pick<ServerWithPlatform, 'server' | 'platform'>,
  time: string,
): Promise<void> {
  server.clock.set(new Date(time))
  await platform.turn('clock', { at: Date.parse(time) / 1000 })
}
