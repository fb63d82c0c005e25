import { scrypt } from 'node:crypto'
import { type IncomingHttpHeaders, request } from 'node:http'
import { createClient } from '@hailstone/client'
import { type IndexPlace, openIndex } from '@hailstone/indexer'
import { openTestChain } from '../../../packages/indexer/test/test-chain.ts'
import { openLabelTables } from '../src/labels/label-tables.ts'
import { type Follower, openFollower } from '../src/open-follower.ts'
import type { OpenIdSettings } from '../src/people/open-id-client.ts'
import type { DeriveKey } from '../src/people/passwords.ts'
import { openPeopleTables } from '../src/people/people-tables.ts'
import { createPersonStore, type PersonStore } from '../src/people/person-store.ts'
import { type ConsolePlace, type ConsoleServer, serveConsole } from '../src/serve-console.ts'

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  readonly body: any
}

export type Question = {
  readonly method?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Sends a request with any headers, the name of the host among them, which `fetch` sets by itself. */
export function send(url: string, { method = 'GET', body, headers = {} }: Question = {}): Promise<Answer> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const type = body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }
  const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) }
  const options = { method, headers: { ...type, ...length, ...headers }, agent: false }
  return new Promise((resolve, reject) => {
    const call = request(url, options, (response) => {
      let received = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        received += chunk
      })
      response.on('end', () => {
        let parsed: unknown
        try {
          parsed = JSON.parse(received)
        } catch {
          parsed = undefined
        }
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: received,
          body: parsed,
        })
      })
    })
    call.on('error', reject)
    call.end(text)
  })
}

/** A browser as far as a cookie and the header of changes go. */
export type Visit = {
  readonly cookie: string
  readonly csrf: string
  readonly send: (path: string, question?: Question) => Promise<Answer>
}

export type ConsoleFixture = AsyncDisposable & {
  readonly follower: Follower
  readonly people: PersonStore
  /** Password parameters of each call of scrypt, the newest last. */
  readonly derivations: { readonly N: number | undefined; readonly length: number }[]
  /** Every call of scrypt waits for it before it begins. */
  readonly gate: { opens: Promise<unknown> }
  readonly clock: { now: number }
  readonly serve: (place?: ConsolePlace & { readonly openId?: OpenIdSettings }) => Promise<ConsoleServer>
  /** Visits a console with the cookie of an answer. */
  readonly visit: (url: string, answer: Answer, headers?: Readonly<Record<string, string>>) => Promise<Visit>
  /** Opens the link of a console without people. */
  readonly openLink: (server: ConsoleServer) => Promise<Visit>
  readonly signIn: (
    server: ConsoleServer,
    body: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>
}

export const PASSWORD = 'correct horse battery'

/** A console over a real chain and real tables, with passwords that cost little, and a clock of its own. */
export async function openConsole(place: IndexPlace = {}): Promise<ConsoleFixture> {
  const undo: (() => PromiseLike<unknown>)[] = []
  const chain = await openTestChain('people of a console')
  undo.push(() => chain[Symbol.asyncDispose]())
  await chain.close([], 15)
  const index = await openIndex(place)
  undo.push(index.close)
  await openLabelTables(index)
  const client = createClient({ apiUrl: chain.apiUrl })
  undo.push(client.close)
  const follower = await openFollower({ index, client, tokenId: chain.token.id })
  undo.push(() => follower[Symbol.asyncDispose]())
  await follower.catchUp()
  const clock = { now: Date.UTC(2026, 0, 5) }
  const now = (): number => clock.now
  const derivations: { N: number | undefined; length: number }[] = []
  const gate: { opens: Promise<unknown> } = { opens: Promise.resolve() }
  const derive: DeriveKey = async (password, salt, length, options) => {
    derivations.push({ N: options.N, length })
    await gate.opens
    return new Promise((resolve, reject) =>
      scrypt(password, salt, length, options, (error, key) => (error ? reject(error) : resolve(key))),
    )
  }
  const queries = await openPeopleTables(index)
  const people = createPersonStore({ queries, now, derive, cost: { log2N: 4, r: 8, p: 1 } })
  const visit: ConsoleFixture['visit'] = async (url, answer, headers = {}) => {
    const [written = ''] = answer.headers['set-cookie'] ?? []
    const cookie = written.split(';')[0] ?? ''
    const session = await send(`${url}/v1/session`, { headers: { cookie, ...headers } })
    const csrf = String(session.body?.csrf)
    return {
      cookie,
      csrf,
      send: (path, question = {}) =>
        send(`${url}${path}`, {
          ...question,
          headers: {
            cookie,
            ...(question.method === undefined ? {} : { 'hailstone-csrf': csrf }),
            ...headers,
            ...question.headers,
          },
        }),
    }
  }
  return {
    ...{ follower, people, derivations, gate, clock, visit },
    async serve(of = {}) {
      const server = await serveConsole({ ...of, follower, people, now })
      undo.push(server.stop)
      return server
    },
    openLink: async (server) => visit(server.url, await send(server.signInUrl())),
    signIn: ({ url }, body, headers) => send(`${url}/v1/sign-in`, { method: 'POST', body, headers }),
    async [Symbol.asyncDispose]() {
      for (const end of undo.reverse()) await end()
    },
  }
}
