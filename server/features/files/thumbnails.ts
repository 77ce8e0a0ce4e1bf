/** Thumbnails: rendered on the first request, stored encrypted, deleted with their file (ADR 261). */
import { row, run, type Connection } from '../../db/sql.ts'
import { decrypt, encrypt } from '../../crypto/keys.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { StoredFile } from './queries.ts'
import { decodeInTurn } from './picture-turns.ts'

const sideMax = 400
const quality = 75

type ThumbnailDependencies = Pick<Dependencies, 'pool' | 'keys' | 'log'>

/** Returns the thumbnail as WebP, rendered from `picture` if none is stored. */
export async function thumbnailOf(
  { pool, keys, log }: ThumbnailDependencies,
  file: StoredFile,
  picture: () => Promise<Buffer>,
): Promise<Buffer> {
  const kept = await row<{ kid: string; sealed: Buffer }>(pool)`
    select kid, sealed from file_thumbnails where file_id = ${file.id}`
  const opened = kept && open(keys.file.byId(kept.kid)?.bytes, file.id, kept.sealed)
  if (opened instanceof Buffer) return opened
  if (opened) log.warn({ file: file.id, err: opened }, 'thumbnail damaged, drawn again')
  // A page is rendered in a queue of its own, for up to a minute: nothing must wait for it while occupying an image's
  // turn.
  const page = file.media_type === 'application/pdf' ? await picture() : null
  const drawn = await decodeInTurn(async () => drawThumbnail(page ?? (await picture())))
  const { kid, bytes } = keys.file.current
  await keep(pool, { id: file.id, kid, sealed: encrypt(bytes, labelOf(file.id), drawn) })
  return drawn
}

/** A separate label, so that a file's bytes and its thumbnail cannot be exchanged for each other. */
const labelOf = (id: string) => `${id}/thumbnail`

function open(key: Buffer | undefined, id: string, sealed: Buffer): Buffer | Error {
  try {
    if (!key) throw new Error('its key is not there')
    return decrypt(key, labelOf(id), sealed)
  } catch (error) {
    return error as Error
  }
}

async function drawThumbnail(picture: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(picture)
    .resize({ width: sideMax, height: sideMax, fit: 'inside', withoutEnlargement: true })
    .webp({ quality })
    .toBuffer()
}

/** Stores a thumbnail, unless the file has been erased in the meantime. */
async function keep(connection: Connection, { id, kid, sealed }: { id: string; kid: string; sealed: Buffer }) {
  await run(connection)`
    insert into file_thumbnails (file_id, kid, sealed)
      select id, ${kid}, ${sealed}::bytea from files where id = ${id} and state = 'clean' for key share
      on conflict (file_id) do update set kid = excluded.kid, sealed = excluded.sealed`
}
