import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hourMs } from '#rules/dates.ts'
import { CallCounts } from '../call-counts.ts'
import { Deferred, Rejected, Unavailable, Unknown } from '../errors.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import { tlsProxy } from '#tests/tls-proxy.ts'
import { waitForDelayedCall } from '#tests/trading-platform.ts'
import type { MailTransport, OutgoingMail } from './mail-transport.ts'
import { smtpMail } from './smtp.ts'

interface StoredMail {
  id: string
  subject: string
  html: string
  text: string
  messageId: string
  to: string[]
}

let mailbox: RunningSimulator
let transport: MailTransport
let number = 0

beforeAll(async () => {
  mailbox = await startSimulator('mailbox')
  transport = smtpMail({ url: `smtp://127.0.0.1:${mailbox.port}`, from: 'portal@firm.example' })
})
afterEach(() => mailbox.turn('reset'))
afterAll(() => mailbox.stop())

function mail(change: Partial<OutgoingMail> = {}): OutgoingMail {
  number += 1
  return {
    to: `client${number}@example.com`,
    subject: 'Ihr Konto ist eröffnet – 100 €',
    html: '<p>Grüße</p>',
    text: 'Grüße',
    messageId: `<mail-${number}@firm.example>`,
    fromName: 'Firm & Söhne',
    ...change,
  }
}

async function storedMails(to: string): Promise<StoredMail[]> {
  const list = await mailbox.read<{ id: string }[]>(`mails?to=${encodeURIComponent(to)}`)
  return Promise.all(list.map(({ id }) => mailbox.read<StoredMail>(`mails/${id}`)))
}

/** Starts a mail server that accepts all commands except one. */
async function serverThatAnswers(command: string, answer: string) {
  const server = createServer((socket) => {
    const say = (to: string) => socket.write(`${to.startsWith(command) ? answer : '250 so be it'}\r\n`)
    socket.on('error', () => undefined)
    socket.on('data', (line) => say(line.toString()))
    socket.write(`${command === 'the connection' ? answer : '220 here'}\r\n`)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as { port: number }).port, close: () => server.close() }
}

/** Starts a mail server that does not answer one command. */
async function serverThatStopsAfter(command: string) {
  const asked = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (line) => {
      if (line.toString().startsWith(command)) asked.resolve()
      else socket.write('250 so be it\r\n')
    })
    socket.write('220 here\r\n')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as { port: number }).port, asked: asked.promise, close: () => server.close() }
}

describe('an email', () => {
  test('arrives once, with its subject, both bodies and our own message id', async () => {
    const sent = mail()
    await transport.send(sent)
    const [received, second] = await storedMails(sent.to)
    expect(received).toMatchObject({ subject: sent.subject, messageId: sent.messageId, to: [sent.to] })
    expect(received?.html).toContain('Grüße')
    expect(received?.text).toContain('Grüße')
    expect(second).toBeUndefined()
  })

  test('has the return path only in its envelope', async () => {
    const returnPath = 'returns@firm.example'
    const sent = mail()
    await smtpMail({ url: `smtp://127.0.0.1:${mailbox.port}`, from: 'portal@firm.example', returnPath }).send(sent)
    expect(await storedMails(sent.to)).toMatchObject([{ from: 'portal@firm.example', returnPath }])
  })

  test('is rejected if an address, a subject or a name would add a recipient or a header', async () => {
    for (const change of [
      { to: 'a@example.com,b@example.com' },
      { to: 'a@example.com\r\nBcc: b@example.com' },
      { to: 'a@example.com\n' },
      { subject: 'Hello\r\nBcc: b@example.com' },
      { fromName: 'Firm\r\nBcc: b@example.com' },
      { messageId: 'none' },
    ]) {
      await expect(transport.send(mail(change))).rejects.toThrow(Rejected)
    }
  })

  test.each([
    [421, Unavailable],
    [451, Deferred],
    [550, Rejected],
  ])('answered with %i is classified as retryable or rejected', async (code, failure) => {
    for (const at of ['rcpt', 'data']) {
      const sent = mail()
      await mailbox.turn('refuse', { code, at, to: sent.to })
      const thrown: unknown = await transport.send(sent).catch((error: unknown) => error)
      expect((thrown as Error).constructor).toBe(failure)
      expect(await storedMails(sent.to)).toHaveLength(0)
    }
  })

  test.each([
    { to: 'the connection', answer: '421 4.3.2 too busy', answers: 0, failures: 1 },
    { to: 'RCPT TO', answer: '421 4.3.2 shutting down', answers: 0, failures: 1 },
    { to: 'RCPT TO', answer: '450 4.2.0 greylisted', answers: 1, failures: 0 },
    { to: 'RCPT TO', answer: '550 5.1.1 no such user', answers: 1, failures: 0 },
  ])('counts as answered by the mail server only if the answer is about it: $answer to $to', async (one) => {
    const { port, close } = await serverThatAnswers(one.to, one.answer)
    const counts = new CallCounts(() => new Date())
    const url = `smtp://127.0.0.1:${port}`
    await smtpMail({ url, from: 'portal@firm.example', calls: counts.of('mail') })
      .send(mail())
      .catch(() => undefined)
    expect(counts.take()).toMatchObject([{ answers: one.answers, failures: one.failures }])
    close()
  })

  test.each([
    { to: 'the connection', answer: '554 5.3.2 no service here', failure: Unavailable },
    { to: 'MAIL FROM', answer: '550 5.7.1 sender rejected', failure: Unavailable },
    { to: 'RCPT TO', answer: '550 5.1.1 no such user', failure: Rejected },
  ])(
    'is rejected permanently only for an answer to its recipient, here the answer to $to',
    async ({ to, answer, failure }) => {
      const { port, close } = await serverThatAnswers(to, answer)
      const refusing = smtpMail({ url: `smtp://127.0.0.1:${port}`, from: 'portal@firm.example' })
      const thrown: unknown = await refusing.send(mail()).catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(failure)
      const sentence = `The mail server answered ${answer.slice(0, 9)}`
      expect(thrown).toHaveProperty('message', failure === Rejected ? sentence : `${sentence} to ${to}`)
      close()
    },
  )

  test.each([
    [
      '535 5.7.139 SmtpClientAuthentication is disabled',
      'Switch on authenticated SMTP for the mailbox and the tenant.',
    ],
    ['550 5.7.30 Basic authentication is not supported', 'It takes no passwords any more: set SMTP_AUTH=oauth2.'],
    ['535 5.7.8 Bad credentials', 'Check user and password in SMTP_URL.'],
  ])('rejected at sign-in with %s is retried later and names the remedy', async (answer, remedy) => {
    const { port, close } = await serverThatAnswers('AUTH', answer)
    const refused = smtpMail({ url: `smtp://user:secret@127.0.0.1:${port}`, from: 'portal@firm.example' })
    for (const step of [() => refused.send(mail()), () => refused.health()]) {
      const thrown: unknown = await step().catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(Unavailable)
      expect((thrown as Error).message).toMatch(/^The mail server rejected our sign-in \(5\d\d 5\.7\.\d+\)\. /)
      expect((thrown as Error).message).toContain(remedy)
    }
    close()
  })

  test('accepted without a response has an unknown outcome, and a repeat has the same message id', async () => {
    const sent = mail()
    await mailbox.turn('drop-after')
    await expect(transport.send(sent)).rejects.toThrow(Unknown)
    await transport.send(sent)
    expect((await storedMails(sent.to)).map(({ messageId }) => messageId)).toEqual([sent.messageId, sent.messageId])
  })

  test('whose server stops responding has an unknown outcome', async () => {
    await mailbox.turn('hang')
    // Wherever the silence occurs, even before a slow machine has sent everything, the mail may have been sent.
    const url = `smtp://127.0.0.1:${mailbox.port}`
    const hasty = smtpMail({ url, from: 'portal@firm.example', answerMs: 200, greetingMs: 60_000 })
    await expect(hasty.send(mail())).rejects.toThrow(Unknown)
  })

  test('survives a restart of the mailbox', async () => {
    const sent = mail()
    await transport.send(sent)
    mailbox = await mailbox.restart()
    transport = smtpMail({ url: `smtp://127.0.0.1:${mailbox.port}`, from: 'portal@firm.example' })
    expect(await storedMails(sent.to)).toHaveLength(1)
  })
})

describe('the time for an email is limited (requirements 24.296)', () => {
  // With `timeoutMs` as its limit, each silence would end the connection.
  const patient = (port: number) =>
    smtpMail({ url: `smtp://127.0.0.1:${port}`, from: 'portal@firm.example', timeoutMs: 1, greetingMs: 60_000 })
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('to two minutes until the server confirms it: one that checks the content first delivers it once', async () => {
    const sent = mail()
    await mailbox.turn('slow', { ms: hourMs })
    const sending = patient(mailbox.port).send(sent)
    await waitForDelayedCall(mailbox)
    vi.advanceTimersByTime(119_000)
    await mailbox.turn('reset')
    await sending
    expect(await storedMails(sent.to)).toHaveLength(1)
  })

  test('after which its outcome is unknown', async () => {
    await mailbox.turn('slow', { ms: hourMs })
    const sending = expect(patient(mailbox.port).send(mail())).rejects.toThrow(Unknown)
    await waitForDelayedCall(mailbox)
    vi.advanceTimersByTime(120_000)
    await sending
  })

  test('to half a minute until it has been sent, however slowly the server answers the commands', async () => {
    const { port, asked, close } = await serverThatStopsAfter('MAIL FROM')
    const sending = expect(patient(port).send(mail())).rejects.toThrow(Unknown)
    await asked
    vi.advanceTimersByTime(30_000)
    await sending
    close()
  })
})

describe('the mail server', () => {
  test('is unavailable if it cannot be reached or sends no greeting', async () => {
    const unreachable = smtpMail({ url: 'smtp://127.0.0.1:1', from: 'portal@firm.example' })
    await expect(unreachable.send(mail())).rejects.toThrow(Unavailable)
    await expect(unreachable.health()).rejects.toThrow(Unavailable)
    await transport.health()
    const silent = createServer()
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const waiting = smtpMail({ url: `smtp://127.0.0.1:${port}`, from: 'portal@firm.example', greetingMs: 1 })
    await expect(waiting.send(mail())).rejects.toThrow(Unavailable)
    silent.close()
  })

  test('is used over TLS only with a trusted certificate', async () => {
    const front = await tlsProxy(mailbox.port)
    const url = `smtps://localhost:${front.port}`
    const sent = mail()
    await smtpMail({ url, from: 'portal@firm.example', ca: front.certificate }).send(sent)
    expect(await storedMails(sent.to)).toHaveLength(1)
    await expect(smtpMail({ url, from: 'portal@firm.example' }).send(mail())).rejects.toThrow(Unavailable)
    front.stop()
  })
})
