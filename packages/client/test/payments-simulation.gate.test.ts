import { parseAddress, toAmount } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { MAGIC } from '../src/node/file-journal.ts'
import { readJournalText } from '../src/node/journal-text.ts'
import { createClient, type Transport, walletFromPrivateKey } from '../src/node.ts'
import { createPayments } from '../src/payments/create-payments.ts'
import { sealLine } from '../src/payments/journal-line.ts'
import type { Failpoint, JournalStore } from '../src/payments/journal-store.ts'
import type { PaymentInfo } from '../src/payments/payment-info.ts'
import { ModelNetwork, type PostFault } from './support/model-network.ts'
import { type VirtualClock, virtualClock } from './support/virtual-clock.ts'

const wallet = walletFromPrivateKey('7'.padStart(64, '0'))
const to = parseAddress(`03${'ab'.repeat(32)}`)
const amount = toAmount(1_000_000n)
const BLOCK_MS = 15_000

/** Uniform in [0, 1), the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A file that loses what was not synced when the power goes: all of it, or any part from some byte on. */
class SimulatedDisk {
  content = MAGIC
  synced = MAGIC

  cutPower(random: () => number): void {
    const length = this.synced.length + Math.floor(random() * (this.content.length - this.synced.length + 1))
    this.content = this.content.slice(0, length)
    this.synced = this.content
  }

  open(failpoint: Failpoint): JournalStore {
    const text = readJournalText(this.content, MAGIC)
    if ('refusal' in text) throw new Error(text.refusal)
    this.content = this.content.slice(0, text.keptBytes) + text.repair
    this.synced = this.content
    return {
      read: async () => text.content,
      append: async (json) => {
        this.content += `${sealLine(json)}\n`
        failpoint('journal written')
        this.synced = this.content
        failpoint('journal synced')
      },
      replace: async (records) => {
        const content = MAGIC + records.map((record) => `${sealLine(record)}\n`).join('')
        failpoint('compaction synced')
        this.content = content
        this.synced = content
        failpoint('compaction done')
      },
      close: async () => undefined,
    }
  }
}

/** A program run: after it is killed nothing of it does anything any more. */
class Life {
  isOver = false
  readonly #killAt: number
  hits = 0
  readonly onDeath: () => void

  constructor(killAt: number, onDeath: () => void) {
    this.#killAt = killAt
    this.onDeath = onDeath
  }

  readonly failpoint = (): void => {
    if (this.isOver) throw new Error('dead')
    this.hits++
    if (this.hits !== this.#killAt) return
    this.isOver = true
    this.onDeath()
    throw new Error('killed')
  }

  /** Runs an action whose outside requests are never answered after the end of the run. */
  readonly only = async <T>(doing: () => Promise<T>): Promise<T> => {
    if (this.isOver) return new Promise(() => undefined)
    try {
      const result = await doing()
      return this.isOver ? new Promise(() => undefined) : result
    } catch (error) {
      if (this.isOver) return new Promise(() => undefined)
      throw error
    }
  }
}

const mortalTransport = (life: Life, transport: Transport): Transport => ({
  request: (request) => life.only(() => transport.request(request)),
})

const mortalStore = (life: Life, store: JournalStore): JournalStore => ({
  ...store,
  append: (json, options) => life.only(() => store.append(json, options)),
  replace: (records) => life.only(() => store.replace(records)),
})

type World = {
  readonly network: ModelNetwork
  readonly clock: VirtualClock
  readonly disk: SimulatedDisk
  readonly random: () => number
  /** Final states that were shown, by memo. */
  readonly shown: Map<string, Set<string>>
}

function newWorld(seed: number): World {
  const [network, clock] = [new ModelNetwork(), virtualClock()]
  network.mine()
  clock.every(BLOCK_MS, () => network.mine())
  return { network, clock, disk: new SimulatedDisk(), random: randomOf(seed), shown: new Map() }
}

async function live(world: World, killAt: number, orders: readonly string[]): Promise<Life> {
  const { network, clock, disk, random, shown } = world
  const life = new Life(killAt, () => disk.cutPower(random))
  const transport = mortalTransport(life, network.transport())
  const mortal = {
    ...clock,
    sleep: (ms: number, signal?: AbortSignal) => life.only(() => clock.sleep(ms, signal)),
  }
  const retry = { maxAttempts: 1 }
  const client = createClient({
    apiUrl: 'http://127.0.0.1:1',
    transport,
    clock: mortal,
    randomness: random,
    retry,
  })
  const journal = mortalStore(life, disk.open(life.failpoint))
  const given = { client, wallet, journal, failpoint: life.failpoint, minOverwritten: 6 }
  const payments = await createPayments(given)
  payments.subscribe((event) => {
    if (!life.isOver && event.type === 'changed') note(shown, event.payment)
  })
  let settled = 0
  const order = async (memo: string): Promise<void> => {
    const pay = () => payments.pay({ to, amount, memo, idempotencyKey: memo })
    // A program that is told that nothing was paid orders again, under the same key.
    let payment = await pay().catch(() => null)
    while (payment === null && !life.isOver) {
      await clock.sleep(2_000)
      payment = await pay().catch(() => null)
    }
    await payment?.settled()
    settled++
  }
  void payments.resume().catch(() => undefined)
  for (const memo of orders) void order(memo).catch(() => undefined)
  await clock.runUntil(() => life.isOver || settled === orders.length, 120 * BLOCK_MS)
  if (!life.isOver) {
    for (const payment of payments.list()) note(shown, payment)
    await payments.close()
  }
  life.isOver = true
  return life
}

function note(shown: World['shown'], { state, memo }: PaymentInfo): void {
  if ('isFinal' in state && state.isFinal) shown.set(memo, (shown.get(memo) ?? new Set()).add(state.status))
}

/** Fork, flush and the like, at a time of their own. */
type Trouble = {
  readonly name: string
  readonly begin: (world: World) => void
  /** Statuses in which the orders may end. */
  readonly ends: readonly string[]
}

const onPost = (fault: PostFault, ends: readonly string[] = ['confirmed']): Trouble => ({
  name: `POST: ${fault}`,
  begin: ({ network }) => {
    network.postFault = fault
  },
  ends,
})

const troubles: readonly Trouble[] = [
  { name: 'no fault', begin: () => undefined, ends: ['confirmed'] },
  onPost('answer lost'),
  onPost('request lost'),
  onPost('forgets it'),
  onPost('names another hash'),
  onPost('turns it away'),
  onPost('refuses it and keeps it'),
  // The other order may be refused by the node that is left before anybody has it.
  onPost('goes away with it', ['confirmed', 'refused']),
  onPost('goes away with it unanswered', ['confirmed', 'refused']),
  onPost('sends a malleated copy', ['confirmed', 'superseded']),
  onPost('sends an odd malleated copy', ['confirmed', 'superseded']),
  {
    name: 'pool flush',
    begin: ({ network, clock }) => {
      let flushes = 3
      clock.every(BLOCK_MS / 3, () => {
        if (flushes-- > 0) network.pool.clear()
      })
    },
    ends: ['confirmed'],
  },
  {
    name: 'reorganisation',
    begin: ({ network, clock }) => {
      let forks = 2
      clock.every(1.7 * BLOCK_MS, () => {
        if (forks-- > 0) network.reorganise(2)
      })
    },
    ends: ['confirmed'],
  },
  {
    name: 'blocks and forks between any two questions',
    begin: ({ network, random }) => {
      network.meanwhile = () => {
        const draw = random()
        if (draw < 0.04) network.mine()
        else if (draw < 0.08) {
          network.reorganise(1 + Math.floor(random() * 2), { keepTransactions: random() < 0.8 })
        }
      }
    },
    ends: ['confirmed'],
  },
  {
    name: 'network away',
    begin: ({ network, clock }) => {
      let times = 0
      clock.every(BLOCK_MS / 4, () => {
        times++
        network.isAway = times > 1 && times < 9 && times % 3 !== 0
      })
    },
    ends: ['confirmed'],
  },
]

/** Lets the network execute what a node took before it went away, after the program has stopped looking. */
async function goOn({ network, clock }: World): Promise<void> {
  await clock.runUntil(() => network.poolAway.size === 0, 40 * BLOCK_MS)
  network.mine()
}

/** Each order was paid once and never shown as failed; or it was refused, and then not paid at all. */
function judge(
  { network, shown }: World,
  orders: readonly string[],
  { ends, name }: Trouble,
  where: string,
): void {
  const executed = network.executed()
  for (const memo of orders) {
    const states = [...(shown.get(memo) ?? [])]
    const times = states.includes('refused') ? 0 : 1
    expect([name, where, memo, executed.get(memo) ?? 0]).toStrictEqual([name, where, memo, times])
    expect(states.filter((state) => !ends.includes(state))).toStrictEqual([])
    if (times === 0) expect(states).toStrictEqual(['refused'])
  }
}

/** Of the places, so many apart; each trouble begins with another one. */
const EVERY = gateSize('HAILSTONE_KILL_EVERY', { change: 2, night: 1 })

describe(`K1–K9: a program that is killed at the places it passes, ${EVERY} apart`, () => {
  it.each(troubles.map((trouble, at) => [trouble.name, trouble, 1 + (at % EVERY)] as const))(
    'pays each order exactly once: %s',
    async (_, trouble, first) => {
      const orders = ['order 1', 'order 2']
      let kills = 0
      for (let killAt = first; ; killAt += EVERY) {
        const world = newWorld(killAt)
        trouble.begin(world)
        const { hits } = await live(world, killAt, orders)
        // It was over before this place was reached: every place has been tried.
        if (hits < killAt) break
        kills++
        await live(world, 0, orders)
        await goOn(world)
        judge(world, orders, trouble, `killed at ${killAt}`)
      }
      expect(kills).toBeGreaterThan(15 / EVERY)
    },
    60_000,
  )
})

it('K10: a crash loop with every trouble at once pays each order once, or not at all when it says so', async () => {
  const seeds = gateSize('HAILSTONE_SEEDS', { change: 30, night: 60 })
  for (let seed = 1; seed <= seeds; seed++) {
    const world = newWorld(seed)
    const orders = ['a', 'b', 'c']
    for (const trouble of troubles.filter(({ name }) => !name.startsWith('POST'))) trouble.begin(world)
    const faults = troubles
      .filter(({ name }) => name.startsWith('POST'))
      .map(({ name }) => name.slice(6) as PostFault)
    for (let life = 0; life < 12; life++) {
      world.network.postFault = faults[Math.floor(world.random() * faults.length)] ?? null
      await live(world, 1 + Math.floor(world.random() * 25), orders)
    }
    await live(world, 0, orders)
    await goOn(world)
    judge(
      world,
      orders,
      { name: 'all', begin: () => undefined, ends: ['confirmed', 'superseded', 'refused'] },
      `seed ${seed}`,
    )
  }
})
