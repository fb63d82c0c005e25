import { type Client, createClient, type Transport } from '@hailstone/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Index, openIndex } from '../src/open-index.ts'
import { rebuildIndex } from '../src/rebuild-index.ts'
import { type IndexWriter, openWriter } from '../src/run-indexer.ts'
import { contentOf } from './figures-of-index.ts'
import { closeRandom } from './population.ts'
import { randomOf } from './random.ts'
import { openTestChain, type TestChain } from './test-chain.ts'

/** Changes answers of the real API on their way; null lets them pass. */
type Lie = (path: string, text: string, query: string) => string | null

let chain: TestChain
let honest: Client
let lying: Client
/** The same answers from the address of a network on this machine. */
let lyingNearby: Client
let lie: Lie = () => null
let status = 200
const random = randomOf(11)

const number = (text: string, name: string): number =>
  Number(new RegExp(`"${name}":"?(\\d+)`).exec(text)?.[1] ?? 0)

/** Puts the blocks from a height on into the future. */
const fromTomorrow =
  (isMeant: (height: number) => boolean): Lie =>
  (path, text) =>
    path === '/macroblock_by_height' && isMeant(number(text, 'n'))
      ? text.replace(/"time":"?\d+"?/, `"time":${Math.floor(Date.now() / 1000) + 86_400}`)
      : null

const tomorrow = fromTomorrow((height) => height === chain.blocks.length - 1)

beforeAll(async () => {
  chain = await openTestChain('lies')
  for (let left = 6; left > 0; left--) await closeRandom(chain, random)
  honest = createClient({ apiUrl: chain.apiUrl })
  const transport: Transport = {
    async request(request) {
      const answer = await honest.transport.request(request)
      const text = lie(request.path, answer.text, request.query ?? '')
      return text === null ? answer : { ...answer, text, status }
    },
  }
  const clock = { ...honest.clock, sleep: async () => undefined }
  const settings = { transport, clock, retry: { maxAttempts: 1 } }
  lying = createClient({ ...settings, apiUrl: 'https://lying.example.com/api/v1' })
  lyingNearby = createClient({ ...settings, apiUrl: chain.apiUrl })
})

afterAll(async () => {
  await honest.close()
  await chain[Symbol.asyncDispose]()
})

async function withWriter(work: (index: Index, writer: IndexWriter) => Promise<void>): Promise<void> {
  lie = () => null
  status = 200
  await using index = await openIndex()
  await using writer = await openWriter({ index, client: lying, tokenIds: [chain.token.id] })
  await writer.step()
  await closeRandom(chain, random)
  await work(index, writer)
  lie = () => null
  status = 200
  expect(await writer.step()).toMatchObject({ status: 'current', height: chain.blocks.length - 1 })
}

/** Lies after which an index has to be as it was before. */
const refused: Readonly<
  Record<string, { readonly expected: string; readonly lie: Lie; readonly status?: number }>
> = {
  'an API that is behind': {
    expected: 'behind',
    lie: (path) => (path === '/height' ? '{"height":3}' : null),
  },
  'an API that is ahead, with blocks that are not linked': {
    expected: 'api lies',
    lie: (path, text) =>
      path === '/macroblock_by_height' && number(text, 'n') === chain.blocks.length - 1
        ? text.replace(/"link":"[0-9a-f]{8}/, '"link":"00000000')
        : null,
  },
  'a microblock that is left out': {
    expected: 'api lies',
    lie: (path, text) =>
      path === '/macroblock_by_height' && number(text, 'n') === chain.blocks.length - 1
        ? text.replace(/"mblocks":\[\{[^}]*\},?/, '"mblocks":[')
        : null,
  },
  'a transaction with another amount': {
    expected: 'api lies',
    lie: (path, text) => (path === '/mblock' ? text.replace(/"amount":"?\d+"?/, '"amount":7777777') : null),
  },
  'a block of tomorrow': { expected: 'api lies', lie: tomorrow },
  'an answer that is cut': {
    expected: 'api lies',
    lie: (path, text) => (path === '/mblock' ? text.slice(0, 40) : null),
  },
  'a page of HTML': {
    expected: 'api lies',
    lie: (path) => (path === '/macroblock_by_height' ? '<!doctype html><title>busy</title>' : null),
  },
  'too many requests': {
    expected: 'behind',
    status: 429,
    lie: (path, text) => (path === '/height' ? text : null),
  },
}

for (const [name, { expected, lie: one, status: answered = 200 }] of Object.entries(refused)) {
  it(`C-4: ${name} changes nothing`, async () => {
    await withWriter(async (index, writer) => {
      const before = await contentOf(index.queries)
      lie = one
      status = answered
      const progress = await writer.step()
      expect(progress.note).not.toBeNull()
      // What was proven before the lie may stay; the rows of the block that is lied about must not be there.
      expect([progress.status, await contentOf(index.queries)]).toEqual([expected, before])
    })
  })
}

it('C-4: a rebuild does not begin to walk towards a block of tomorrow', async () => {
  const asked: string[] = []
  lie = (path, text, query) => {
    asked.push(`${path} ${query}`)
    return tomorrow(path, text, query)
  }
  status = 200
  const rebuilt = rebuildIndex({ place: {}, client: lying, tokenIds: [chain.token.id] })
  await expect(rebuilt).rejects.toMatchObject({ code: 'CHAIN_INCONSISTENT' })
  // However often it asks for the newest block again.
  expect([...new Set(asked)]).toEqual(['/height ', expect.stringMatching('^/macroblock_by_height')])
})

it('follows a network on this machine whose clock was put forward', async () => {
  lie = fromTomorrow((height) => height >= chain.blocks.length - 1)
  status = 200
  await using index = await openIndex()
  await using writer = await openWriter({ index, client: lyingNearby, tokenIds: [chain.token.id] })
  expect(await writer.step()).toMatchObject({ status: 'current', height: chain.blocks.length - 1 })
})

it.each([
  ['a holder that is left out', '/top_accounts', 0, (text: string) => text.replace(/\[\{[^{}]*\},/, '[')],
  [
    ...(['another supply', '/token_info', 1] as const),
    (text: string) => text.replace(/"total_supply":"?(\d)/, (found) => `${found}7`),
  ],
])('C-4: %s in one answer changes no opening', async (_, of, honestAnswers, change) => {
  let wasChanged = false
  let left = honestAnswers
  lie = (path, text) => {
    if (path !== of || wasChanged || left-- > 0) return null
    const changed = change(text)
    wasChanged = changed !== text
    return changed
  }
  await using index = await openIndex()
  await using writer = await openWriter({ index, client: lying, tokenIds: [chain.token.id] })
  expect(wasChanged).toBe(true)
  await writer.step()
  await using other = await openIndex()
  await using anew = await openWriter({ index: other, client: honest, tokenIds: [chain.token.id] })
  await anew.step()
  expect(await contentOf(index.queries)).toEqual(await contentOf(other.queries))
})

it('C-4: another minimum stake in one answer begins no index', async () => {
  let wasChanged = false
  lie = (path, text) => {
    if (path !== '/token_info' || wasChanged) return null
    const changed = text.replace(/"min_stake":"?\d/, (found) => `${found}9`)
    wasChanged = changed !== text
    return changed
  }
  status = 200
  await using index = await openIndex()
  const parameters = { index, client: lying, tokenIds: [chain.token.id] }
  await expect(openWriter(parameters)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  // Nodes behind one address differ in the price that they have read, and in what they have counted.
  let asked = 0
  lie = (path, text) =>
    path === '/token_info' ? text.replace(/"txs_count":\d+/, () => `"txs_count":${++asked}`) : null
  await using writer = await openWriter(parameters)
  expect(asked).toBeGreaterThan(1)
  expect(await writer.step()).toMatchObject({ status: 'current' })
})

const inTwelveYears: Lie = (path, text) =>
  path === '/macroblock_by_height'
    ? text.replace(/"time":"?(\d+)"?/, (_, time: string) => `"time":${Number(time) + 12 * 31_557_600}`)
    : null

it.each([
  ['one block', tomorrow],
  ['the open block alone', fromTomorrow((height) => height === chain.blocks.length)],
  ['every block that is read, by twelve years', inTwelveYears],
  [
    'a block and the next ones, beyond all calendars',
    ((path, text) =>
      path === '/macroblock_by_height'
        ? text.replace(/"time":"?\d+"?/, '"time":9007199254740991')
        : null) as Lie,
  ],
])('C-4: a wrong time of %s poisons no day, also nearby', async (_, one) => {
  lie = () => null
  status = 200
  await using index = await openIndex()
  await using writer = await openWriter({ index, client: lyingNearby, tokenIds: [chain.token.id] })
  await writer.step()
  await closeRandom(chain, random)
  lie = one
  await writer.step()
  lie = () => null
  await closeRandom(chain, random)
  expect(await writer.step()).toMatchObject({ status: 'current', height: chain.blocks.length - 1 })
  await using other = await openIndex()
  await using anew = await openWriter({ index: other, client: honest, tokenIds: [chain.token.id] })
  await anew.step()
  expect(await contentOf(index.queries)).toEqual(await contentOf(other.queries))
})

/** Answers of which nothing proves that they are all that a microblock paid. */
const wrongRewards: readonly (readonly [string, (text: string) => string])[] = [
  [
    'a wrong reward',
    (text) => text.replace(/"value":"?(\d{4,})"?/, (_, units: string) => `"value":${BigInt(units) * 2n}`),
  ],
  ['a reward of somebody else', (text) => text.replace(/"id":"0[23][0-9a-f]{6}/, '"id":"02abcdef')],
  ['rewards that are missing', () => '[]'],
]

/** Walks on until the rewards of one microblock were changed on their way: in one answer, or in all of them. */
async function withWrongRewards(
  writer: IndexWriter,
  change: (text: string) => string,
  answers: number,
): Promise<string | null> {
  let lied: string | undefined
  let left = answers
  lie = (path, text, query) => {
    if (path !== '/eindex_by_hash' || left === 0 || (lied ?? query) !== query || !text.includes('"im"'))
      return null
    const changed = change(text)
    if (changed === text) return null
    lied = query
    left--
    return changed
  }
  for (;;) {
    const { note } = await writer.step()
    if (lied !== undefined) return note
    await closeRandom(chain, random)
  }
}

it.each(wrongRewards)('C-4: %s in every answer is an unexplained amount, never silent', async (_, change) => {
  await withWriter(async (index, writer) => {
    await withWrongRewards(writer, change, Number.POSITIVE_INFINITY)
    const found = await index.queries.selectFrom('unexplained').selectAll().execute()
    expect(found.length).toBeGreaterThan(0)
    expect(found.every(({ subject, shown, computed }) => subject === 'reward' && shown !== computed)).toBe(
      true,
    )
  })
})

it.each(wrongRewards)('C-4: %s in one answer is not believed', async (_, change) => {
  await withWriter(async (index, writer) => {
    expect(await withWrongRewards(writer, change, 1)).toContain('two answers differ about what')
    lie = () => null
    await writer.step()
    expect(await index.queries.selectFrom('unexplained').selectAll().execute()).toEqual([])
  })
})

it('a height far above the chain leaves blocks that can be undone', async () => {
  await withWriter(async (_, writer) => {
    const last = chain.blocks.length - 1
    for (let left = 2; left > 0; left--) await closeRandom(chain, random)
    // One node behind the address is of another, longer network, and has a block at the height that it names.
    let other = ''
    lie = (path, text, query) => {
      if (path === '/height') return '{"height":900001}'
      if (path !== '/macroblock_by_height') return null
      other = /height=900001\b/.test(query) ? other : text
      return other === text ? null : other.replace(/"n":"?\d+"?/, '"n":900001')
    }
    expect(await writer.step()).toMatchObject({ status: 'behind', height: last + 1 })
    lie = () => null
    await chain.rewind(last + 1)
    for (let left = 3; left > 0; left--) await closeRandom(chain, random)
    expect(await writer.step()).toMatchObject({ status: 'current', undone: 1 })
  })
})
