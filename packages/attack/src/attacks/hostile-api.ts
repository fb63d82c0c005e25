import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Attack, AttackContext, Figure } from '../attack.ts'
import { startChild } from '../child.ts'
import type { ClientFigures } from '../hostile-api-client.ts'
import { figuresOf } from '../process-figures.ts'

const MIB = 1024 * 1024
/** The most that a client reads of one answer. */
const LARGEST = 4 * MIB
const TIMEOUT_MS = 2_000
/** Concurrent callers: as many as the client has connections. */
const CALLERS = 16

const ok = (...headers: readonly string[]): string =>
  ['HTTP/1.1 200 OK', 'content-type: application/json', ...headers, '', ''].join('\r\n')

/** An answer of known length. */
const whole = (body: string | Buffer, ...headers: readonly string[]): Buffer => {
  const bytes = Buffer.from(body as string)
  return Buffer.concat([Buffer.from(ok(`content-length: ${bytes.length}`, ...headers)), bytes])
}

const full = (begin: string, part: string, end = ''): Buffer =>
  whole(begin + part.repeat(Math.floor((LARGEST - begin.length - end.length) / part.length)) + end)

/** Answer to one request: these bytes, then `block` again and again for as long as it is read. */
type Answer = { readonly head: string | Buffer; readonly block?: Buffer; readonly everyMs?: number }

const block = (part: string): Buffer => Buffer.from(part.repeat(Math.ceil((64 * 1024) / part.length)))
const zeros = Buffer.alloc(64 * MIB, 0x20)
const chunked = ok('transfer-encoding: chunked')
const redirect = (to: string, ...headers: readonly string[]): string =>
  ['HTTP/1.1 302 Found', `location: ${to}`, ...headers, '', ''].join('\r\n')

/** Answers of a hostile API, by name; `byFetch` requests with `fetch`, which unpacks compressed bodies. */
const answers: Readonly<Record<string, { readonly make: () => Answer; readonly byFetch?: true }>> = {
  'a body without end': { make: () => ({ head: ok(), block: block(' ') }) },
  'a body without end, by fetch': { make: () => ({ head: ok(), block: block(' ') }), byFetch: true },
  'chunks of one byte': { make: () => ({ head: chunked, block: block('1\r\n1\r\n') }) },
  'chunks of one byte, by fetch': {
    make: () => ({ head: chunked, block: block('1\r\n1\r\n') }),
    byFetch: true,
  },
  'a chunk whose name has no end': { make: () => ({ head: `${chunked}1;`, block: block('a') }) },
  'a byte now and then': { make: () => ({ head: ok(), block: Buffer.from(' '), everyMs: 50 }) },
  'a redirect with a byte now and then': {
    make: () => ({ head: redirect('/moved'), block: Buffer.from(' '), everyMs: 50 }),
  },
  'a redirect without end': { make: () => ({ head: redirect('/moved'), block: block(' ') }) },
  'redirects that go round': { make: () => ({ head: redirect('/api/v1/height', 'content-length: 0') }) },
  'a redirect into a private network': {
    make: () => ({ head: redirect('http://169.254.169.254/latest/meta-data', 'content-length: 0') }),
  },
  'headers without end': { make: () => ({ head: 'HTTP/1.1 200 OK\r\n', block: block('x: y\r\n') }) },
  'early answers without end': {
    make: () => ({ head: '', block: block('HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n') }),
  },
  'trailers without end': { make: () => ({ head: `${chunked}1\r\n7\r\n0\r\n`, block: block('x: y\r\n') }) },
  'a gzip bomb': { make: () => ({ head: whole(gzipSync(zeros), 'content-encoding: gzip') }) },
  'a gzip bomb, by fetch': {
    make: () => ({ head: whole(gzipSync(zeros), 'content-encoding: gzip') }),
    byFetch: true,
  },
  'a brotli bomb, by fetch': {
    make: () => ({ head: whole(brotliCompressSync(zeros), 'content-encoding: br') }),
    byFetch: true,
  },
  brackets: { make: () => ({ head: full('', '[') }) },
  'one number of 4 MiB': { make: () => ({ head: full('', '1') }) },
  'numbers of 400 digits': { make: () => ({ head: full('[', `${'9'.repeat(400)},`, '1]') }) },
  'as many values as are read': { make: () => ({ head: full('[', `${'9'.repeat(31)},`, '1]') }) },
  'members of one name': { make: () => ({ head: full('{', `"height":1${' '.repeat(80)},`, '"height":1}') }) },
  'members of many names': {
    make: () => {
      const members = Array.from({ length: 60_000 }, (_, index) => `"${String(index).padStart(50, 'x')}":1`)
      return { head: whole(`{${members.join(',')}}`) }
    },
  },
  'one long text': { make: () => ({ head: full('{"message":"', 'x', '"}') }) },
  backslashes: { make: () => ({ head: full('"', '\\') }) },
  'a page in place of an answer': {
    make: () => ({ head: whole('<html>portal</html>', 'content-type: text/html') }),
  },
}

type HostileServer = { readonly apiUrl: string; answer: Answer | null; readonly sockets: ReadonlySet<Socket> }

function say(socket: Socket, { head, block: more, everyMs }: Answer): void {
  socket.write(head)
  if (more === undefined) return
  if (everyMs !== undefined) {
    const timer = setInterval(() => socket.write(more), everyMs)
    socket.once('close', () => clearInterval(timer))
    return
  }
  const pump = (): void => {
    if (socket.destroyed) return
    if (socket.write(more)) setImmediate(pump)
    else socket.once('drain', pump)
  }
  pump()
}

/** A server that is honest about the height until a test scripts another answer. */
async function startServer({ onEnd }: AttackContext): Promise<HostileServer> {
  const sockets = new Set<Socket>()
  const honest = whole('{"height":7}')
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (asked) => {
      const requests = asked.toString('latin1').split('\r\n\r\n').length - 1
      for (let count = 0; count < requests; count++) {
        if (hostile.answer === null) socket.write(honest)
        else say(socket, hostile.answer)
      }
    })
  }).listen(0, '127.0.0.1')
  onEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await new Promise((done) => server.once('listening', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const hostile: HostileServer = { apiUrl: `http://127.0.0.1:${address.port}/api/v1`, answer: null, sockets }
  return hostile
}

async function attackWith(
  name: string,
  { make, byFetch = false }: { readonly make: () => Answer; readonly byFetch?: boolean },
  context: AttackContext,
): Promise<readonly Figure[]> {
  const server = await startServer(context)
  const child = startChild('hostile-api-client')
  context.onEnd(child.end)
  await child.ask('start', { apiUrl: server.apiUrl, byFetch, timeoutMs: TIMEOUT_MS })
  const before = figuresOf(child.pid).residentMegabytes
  server.answer = make()
  const figuresWith = async (callers: number): Promise<ClientFigures> => {
    await child.ask('attack', { callers })
    await sleep(1000 * Math.min(2, context.seconds), undefined, { signal: context.signal })
    return child.ask<ClientFigures>('figures')
  }
  // What one answer costs, and what as many as there can be cost together.
  const alone = await figuresWith(1)
  const figures = await figuresWith(CALLERS)
  server.answer = null
  const answered = await child.ask<number>('height').catch(() => 0)
  const isClosed = await child.ask('close', undefined, 30_000).then(
    () => true,
    () => false,
  )
  await child.end()
  context.say(`${name}: ${figures.answered} answered, ${JSON.stringify(figures.refused)}`)
  return [
    {
      name: `${name}: one caller, longest turn`,
      value: alone.longestTurnMs,
      unit: 'ms',
      atMost: 100,
    },
    { name: `${name}: ${CALLERS} callers, longest turn`, value: figures.longestTurnMs, unit: 'ms' },
    {
      name: `${name}: ${CALLERS} callers, longest call`,
      value: figures.longestCallMs,
      unit: 'ms',
      atMost: 2 * TIMEOUT_MS,
    },
    { name: `${name}: processor share`, value: 100 * figures.cpuShare, unit: '%' },
    { name: `${name}: memory above before`, value: figures.peakMegabytes - before, unit: 'MB', atMost: 300 },
    { name: `${name}: failures without a code`, value: alone.untyped + figures.untyped, unit: '', atMost: 0 },
    { name: `${name}: answers after it`, value: answered === 7 ? 1 : 0, unit: '', atLeast: 1 },
    { name: `${name}: closes after it`, value: isClosed ? 1 : 0, unit: '', atLeast: 1 },
  ]
}

/** Sixteen callers and a mining node ask an API that does its worst. */
export const hostileApi: Attack = {
  name: 'hostile-api',
  row: 'A-18',
  what: 'an API answers with bodies, headers and redirects that are dear to read or never end',
  async run(context) {
    const figures: Figure[] = []
    for (const [name, answer] of Object.entries(answers))
      figures.push(...(await attackWith(name, answer, context)))
    return figures
  },
}
