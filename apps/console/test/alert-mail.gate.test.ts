import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createMail, isMailAddress, readMail } from '../src/alerts/send-mail.ts'
import { mailOf, writeEvent } from '../src/alerts/write-event.ts'
import { type MailServer, type MailServerOptions, startMailServer } from './mail-server.ts'

const servers: MailServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]()
})

async function start(refusals: number, options: MailServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(refusals, options)
  servers.push(server)
  return server
}

const short = { id: 'evt-2', to: 'partner@example.com', subject: 'a', text: 'b' }

const bodyOf = (name: string): string =>
  writeEvent({
    event: 'started',
    rule: {
      ...{ id: '0123456789ab', kind: 'notMined', name, threshold: 60, minutes: 0, episode: 1, value: 61 },
    },
    token: { id: 'ab', symbol: 'TOK' },
    tip: { height: 7, hash: 'cd' },
    sinceMs: 0,
    nowMs: 1_000,
  })

it('an alert by mail is refused for now, then taken, with a subject that no name can leave', async () => {
  const server = await start(1)
  const send = createMail({ url: server.url, from: 'console@example.com' })
  const name = 'Not mined\r\nBcc: evil@example.com\r\n\r\n<script>'
  const message = { id: 'evt-1', to: 'partner@example.com', ...mailOf(bodyOf(name)) }
  expect(await send(message)).toMatchObject({ why: 'the mail server answered 451', isRefused: false })
  expect(await send(message)).toStrictEqual({ isDelivered: true })
  // TLS is offered, and this machine has no certificate.
  expect(server.upgrades()).toBe(0)
  expect(server.taken).toHaveLength(1)
  const [{ to, text } = { to: [], text: '' }] = server.taken
  expect(to).toStrictEqual(['RCPT TO:<partner@example.com>'])
  const [head = ''] = text.split('\r\n\r\n')
  expect(head).not.toMatch(/^bcc:/im)
  expect(head.replaceAll(/\r\n\s+/g, ' ')).toContain(
    'Subject: [TOK] Alert started: Not mined Bcc: evil@example.com',
  )
  expect(head).toContain('Message-ID: <evt-1@example.com>')
  expect(text).toContain('Value: 61')
})

it('an alert by mail says why a server that is away took nothing', async () => {
  const server = await startMailServer(0)
  await server[Symbol.asyncDispose]()
  const send = createMail({ url: server.url, from: 'console@example.com' })
  expect(await send(short)).toMatchObject({
    why: expect.stringMatching(/^the mail server was not reached \(E\w+\)$/),
    isRefused: false,
  })
})

it('an alert by mail is not tried again where its address is refused for good', async () => {
  const server = await start(1, { refusal: 550 })
  const send = createMail({ url: server.url, from: 'console@example.com' })
  expect(await send(short)).toMatchObject({ why: 'the mail server answered 550', isRefused: true })
})

it('an alert by mail waits for a server that answers late, until it is ended', async () => {
  let isAnswered = false
  const connectMs = 1_000
  // Longer than a connection may take.
  const beforeAnswer = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 1.2 * connectMs))
    isAnswered = true
  }
  const late = await start(0, { beforeAnswer })
  const send = createMail({ url: late.url, from: 'console@example.com', connectMs })
  expect([await send(short), isAnswered, late.taken.length]).toStrictEqual([{ isDelivered: true }, true, 1])

  const ending = new AbortController()
  const silent = await start(0, {
    beforeAnswer: () => {
      ending.abort()
      return new Promise(() => {})
    },
  })
  const sendSilent = createMail({ url: silent.url, from: 'console@example.com' })
  expect(await sendSilent(short, ending.signal)).toMatchObject({ isDelivered: false, isRefused: false })
  expect(silent.taken).toHaveLength(1)
})

it('addresses of people hold nothing that a mail server takes for more', async () => {
  const wrong = [
    'a',
    'a@',
    '@b',
    'a@b c',
    'a@b\r\nDATA',
    'a@b>',
    'a,b@c',
    '"a b"@c',
    `${'a'.repeat(250)}@b.de`,
  ]
  expect(wrong.filter(isMailAddress)).toStrictEqual([])
  expect(["o'hara+alerts@mail.example.com", 'a@localhost'].filter(isMailAddress)).toHaveLength(2)
  const warnings: string[] = []
  const read = (file: string | undefined, from: string | undefined) =>
    readMail({ file, from }, (sentence) => warnings.push(sentence))
  await expect(read('/nowhere', undefined)).rejects.toThrow('used together')
  await expect(read('/nowhere', 'a@b.de')).rejects.toThrow('should hold smtps://')
  expect(await read(undefined, undefined)).toBeUndefined()
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-mail-'))
  try {
    const file = join(folder, 'smtp.url')
    await writeFile(file, 'smtps://user:password@mail.example', { mode: 0o600 })
    await read(file, 'a@b.de')
    expect(warnings).toStrictEqual([])
    await chmod(file, 0o644)
    await read(file, 'a@b.de')
    expect(warnings).toStrictEqual([
      `Others on this machine may read the password in ${file} (mode 0644): run chmod 600 on it.`,
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
