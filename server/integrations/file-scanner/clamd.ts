/** Client of ClamAV's daemon, with its INSTREAM command over TCP. */
import { connect } from 'node:net'
import { countCall, noCallCount, type CallCount } from '../call-counts.ts'
import { Unavailable, silentLog, type IntegrationLogger } from '../errors.ts'
import type { FileScanner, ScanResult } from './file-scanner.ts'

const chunkBytes = 64 * 1024
const answerBytesMax = 4096

interface ClamdOptions {
  host: string
  port: number
  /** For the whole scan. */
  timeoutMs?: number
  log?: IntegrationLogger
  calls?: CallCount
}

/** Creates a scanner that streams each file to clamd (INSTREAM). The time-out is for the whole scan. */
export function clamd(options: ClamdOptions): FileScanner {
  const log = options.log ?? silentLog
  return {
    async scan(bytes) {
      try {
        return await countCall(options.calls ?? noCallCount, async () => resultOf(await queryScanner(bytes, options)))
      } catch (error) {
        log.warn({ problem: String(error) }, 'no response from the virus scanner')
        return 'unavailable'
      }
    },
  }
}

async function queryScanner(bytes: Buffer, options: ClamdOptions): Promise<string> {
  try {
    return await sendInstream(bytes, options)
  } catch (error) {
    throw new Unavailable(`The virus scanner did not respond: ${String(error)}`, error)
  }
}

/**
 * Returns the result of a scan. Only the two exact answers are accepted; an error, a size limit or a partial answer is
 * not.
 */
function resultOf(answer: string): ScanResult {
  if (answer === 'stream: OK') return 'clean'
  const found = /^stream: (.+) FOUND$/.exec(answer)?.[1]
  return found === undefined ? 'unavailable' : { infected: found }
}

/** Sends `bytes` to the daemon and returns its answer without the final zero byte. */
function sendInstream(bytes: Buffer, options: ClamdOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(options.port, options.host)
    const late = setTimeout(() => socket.destroy(new Error('The scan timed out')), options.timeoutMs ?? 30_000)
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      answer += text
      if (answer.endsWith('\0')) socket.end()
      else if (answer.length > answerBytesMax) socket.destroy(new Error('The response is too long'))
    })
    socket.once('error', reject)
    socket.once('close', () => {
      clearTimeout(late)
      if (answer.endsWith('\0')) resolve(answer.slice(0, -1))
      else reject(new Error('The response is incomplete'))
    })
    socket.write('zINSTREAM\0')
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      const chunk = bytes.subarray(start, start + chunkBytes)
      socket.write(lengthPrefix(chunk.length))
      socket.write(chunk)
    }
    socket.write(lengthPrefix(0))
  })
}

function lengthPrefix(length: number): Buffer {
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32BE(length)
  return prefix
}
