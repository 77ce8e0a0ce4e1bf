import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { httpClient, type HttpClient } from './http-client.ts'

let server: Server
let client: HttpClient

/** Closes a kept-alive connection when a second request arrives on it, if the request changes something. */
beforeEach(async () => {
  const used = new Map<Socket, number>()
  server = createServer(({ method, socket }, response) => {
    const before = used.get(socket) ?? 0
    used.set(socket, before + 1)
    if (method !== 'GET' && before > 0) socket.destroy()
    else response.end(String(before))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  client = httpClient({ url, timeoutMs: 60_000, connectionsMax: 1, publicOnly: true })
})

afterEach(() => {
  client.close()
  server.close()
})

const sent = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE') =>
  (await client.send({ method, path: '/', headers: {} })).body.toString()

test('read requests share a connection', async () => {
  expect([await sent('GET'), await sent('GET'), await sent('GET')]).toEqual(['0', '1', '2'])
})

test('a request that changes something uses a new connection, which the server cannot have closed already', async () => {
  await sent('GET')
  expect([await sent('POST'), await sent('PATCH'), await sent('DELETE'), await sent('POST')]).toEqual([
    '0',
    '0',
    '0',
    '0',
  ])
})
