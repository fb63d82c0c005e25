import { createHash } from 'node:crypto'
import { createClient, type TransportRequest } from '@hailstone/client'
import type { CursorStore } from '@hailstone/mining-node'
import type { Fleet } from '@hailstone/mining-node/fleet'
import { type Address, apiError, cursorError, reportError, stringifyJson } from '@hailstone/protocol'
import { expect, it, vi } from 'vitest'
import { steppedClock } from '../../mining-node/test/stepped-clock.ts'
import { reportFleet } from '../src/webhook/report-fleet.ts'
import { reportMining } from '../src/webhook/report-mining.ts'
import { reportRewards } from '../src/webhook/report-rewards.ts'
import { unreadRewards } from '../src/webhook/reward-faults.ts'
import { createWebhookFaults } from '../src/webhook/webhook-faults.ts'

const address = `02${'ab'.repeat(32)}` as Address
const publisher = `03${'cd'.repeat(32)}`

/** Of the key block that is open when a test begins. */
const OPEN = 8
const BLOCK_SECONDS = 15

const hashOf = (height: number): string =>
  height <= 0 ? 'ENQGENESIS' : createHash('sha256').update(`block ${height}`).digest('hex')

const keyBlock = (height: number, open: number) => ({
  hash: hashOf(height),
  n: height,
  time: 1_700_000_000 + BLOCK_SECONDS * (height - OPEN),
  publisher,
  nonce: 0,
  link: hashOf(height - 1),
  sprout: 'ENQGENESIS',
  m_root: '',
  leader_sign: null,
  reward: height < open ? 1 : null,
  target_diff: 10,
})
const macroblock = (height: number, open: number) => ({
  kblock: keyBlock(height, open),
  mblocks: [],
  sblocks: [],
})
const ABSENT = { err: 1, message: 'no such height' }

type Answer = (request: TransportRequest) => { readonly status?: number; readonly answer: unknown }

function clientOf(answer: Answer) {
  const clock = steppedClock()
  const transportOf = (by: Answer) => ({
    request: async (request: TransportRequest) => {
      const { status = 200, answer } = by(request)
      return { status, contentType: 'application/json', text: stringifyJson(answer as never) }
    },
  })
  const client = createClient({
    apiUrl: 'http://127.0.0.1:1/api/v1',
    clock,
    retry: { maxAttempts: 1 },
    transport: transportOf(answer),
  })
  return { client, clock }
}

/** A node with the macroblocks from a height up to the open one. */
const nodeOf =
  (from: number, open = () => OPEN): Answer =>
  ({ path, query = '' }) => {
    if (path === '/height') return { answer: { height: open() } }
    if (path !== '/macroblock_by_height') return { status: 500, answer: ABSENT }
    const height = Number(new URLSearchParams(query).get('height'))
    const isThere = height >= from && height <= open()
    return isThere ? { answer: macroblock(height, open()) } : { status: 404, answer: ABSENT }
  }
const pruned = nodeOf(1)
const whole = nodeOf(0)
const failing: Answer = () => ({ status: 500, answer: { err: 1, message: 'database is locked' } })

const noted = () => {
  const sentences: string[] = []
  return { sentences, faults: createWebhookFaults((sentence) => sentences.push(sentence)) }
}

const emptyStore: CursorStore = { read: async () => null, write: async () => undefined }

it.each([
  ['has no block 0', pruned, 'no macroblock at height 0'],
  ['answers height 0 with an error', failing, 'database is locked'],
])(
  'an API that %s gives the place of rewards no name, and that is told until it has one',
  async (_, first, words) => {
    let answer = first
    const { client, clock } = clientOf((request) => answer(request))
    const { sentences, faults } = noted()
    const names: string[] = []
    const reports = reportRewards({
      ...{ client, address, isWanted: () => true, faults },
      store: {
        ...emptyStore,
        read: async (name) => {
          names.push(name)
          return null
        },
      },
      outbox: { has: async () => false, put: async () => undefined },
    })
    await clock.advance(60_000)
    expect(names).toEqual([])
    expect(sentences).toEqual([expect.stringContaining(words)])
    answer = whole
    await clock.advance(60_000)
    expect(names).toEqual([expect.stringMatching(/^rewards:[0-9a-f]{16}$/)])
    await reports.stop()
  },
)

it('a miner tells that its rewards cannot be read', async () => {
  const { client, clock } = clientOf(whole)
  const { faults } = noted()
  const reports = reportRewards({
    client,
    address,
    store: emptyStore,
    isWanted: () => true,
    outbox: { has: async () => false, put: async () => undefined },
    faults,
  })
  await clock.advance(30_000)
  expect(faults.current()).toMatchObject({ why: 'rewards cannot be read' })
  await reports.stop()
})

it('a miner asks for the key block that its first beacon named, to know where its rewards begin', async () => {
  let open = OPEN
  const asked: string[] = []
  const node = nodeOf(0, () => open)
  const { client, clock } = clientOf((request) => {
    asked.push(`${request.path}?${request.query}`)
    return request.path === '/account_rewards' ? { answer: { balance: 0, id: address } } : node(request)
  })
  const listeners = new Map<string, (event: object) => void>()
  const reports = await reportMining({
    node: {
      on: (name: string, listener: (event: object) => void) => {
        listeners.set(name, listener)
        return () => undefined
      },
      snapshot: () => ({ warnings: [], balance: null, stakes: null }),
    } as never,
    health: { read: () => ({ isReady: true, code: 'READY', why: '', nextStep: '' }) } as never,
    ...{ client, address, store: emptyStore, isWanted: () => true },
    outbox: { put: async () => undefined, has: async () => false },
  })
  const keyBlockHash = hashOf(OPEN + 40)
  listeners.get('published')?.({ microblockHash: hashOf(1), keyBlockHash })
  listeners.get('published')?.({ microblockHash: hashOf(2), keyBlockHash: hashOf(OPEN + 41) })
  for (let mined = 0; mined < 4; mined++) {
    await clock.advance(BLOCK_SECONDS * 1_000)
    open++
  }
  await reports.stop()
  expect(asked.filter((one) => one.startsWith('/macroblock?'))).toContain(`/macroblock?hash=${keyBlockHash}`)
  expect(asked.filter((one) => one.includes(hashOf(OPEN + 41)))).toEqual([])
})

it('a fleet tells that its rewards cannot be read', async () => {
  let open = OPEN
  const { client, clock } = clientOf(nodeOf(0, () => open))
  const { faults } = noted()
  const fleet = {
    subscribe: () => () => undefined,
    nodes: () => [].values(),
    health: () => ({ isReady: true, code: 'READY', nodes: { total: 0 } }),
  } as unknown as Fleet
  const kept = new Map<string, string>()
  const reports = reportFleet(
    {
      store: {
        read: async (name) => kept.get(name) ?? null,
        write: async (name, text) => void kept.set(name, text),
      },
      outbox: { put: async () => undefined } as never,
      isWanted: () => true,
      faults,
    },
    { fleet, client },
  )
  reports.begun()
  for (let mined = 0; mined < 6; mined++) {
    await clock.advance(BLOCK_SECONDS * 1_000)
    open++
  }
  expect(faults.current()).toMatchObject({ why: 'rewards cannot be read' })
  await reports.stop({ reason: 'requested', why: 'stopped' })
})

it('a failure that is not repeated is over, and one that the data folder reports is not told twice', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  try {
    const { sentences, faults } = noted()
    const report = unreadRewards(faults)
    report(reportError('LISTENER_FAILED', { event: 'rewarded', reason: 'too many wait' }))
    report(cursorError({ name: 'rewards', reason: 'ENOSPC' }, { cause: new Error('ENOSPC') }))
    expect([faults.current(), sentences]).toEqual([null, []])
    report(cursorError({ name: 'rewards', reason: 'its text is cut short' }))
    expect(faults.current()?.message).toContain('its text is cut short')
    now.mockReturnValue(100_000)
    report(apiError('HEIGHT_UNAVAILABLE', { height: 7 }))
    now.mockReturnValue(200_000)
    expect(faults.current()?.message).toContain('7')
    now.mockReturnValue(300_000)
    expect(faults.current()).toBeNull()
    expect(sentences.length).toBe(2)
  } finally {
    now.mockRestore()
  }
})
