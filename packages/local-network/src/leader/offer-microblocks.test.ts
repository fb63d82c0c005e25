import {
  createGenesis,
  createLedgerState,
  type DevelopmentAccount,
  type LedgerState,
} from '@hailstone/ledger'
import {
  type Address,
  type Amount,
  type Hash,
  type Token,
  type TokenId,
  transactionHash,
} from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { manualClock } from '../../test/manual-clock.ts'
import { payment } from '../../test/payments.ts'
import { createFallbackMiner } from '../chain/fallback-miner.ts'
import { createMempool } from '../chain/mempool.ts'
import { openMacroblock } from '../chain/open-macroblock.ts'
import { createCandidates } from '../gateway/candidates.ts'
import { gatewaySettings } from '../gateway/gateway-options.ts'
import type { MinerSession } from '../gateway/session.ts'
import type { GatewayEnd } from './gateway-end.ts'
import { offerMicroblocks } from './offer-microblocks.ts'

const genesis = createGenesis({ seed: 'feed', time: 0 })
const { native, mineable } = genesis.tokens
const [alice, bob, carol] = genesis.accounts.developers as readonly DevelopmentAccount[] as [
  DevelopmentAccount,
  DevelopmentAccount,
  DevelopmentAccount,
]

function setUp(options = {}) {
  const clock = manualClock()
  const mempool = createMempool(clock)
  const open = openMacroblock({ keyBlock: genesis.origin, openedAtMs: clock.now() })
  const beacons: { readonly publisher: Address; readonly hashes: readonly Hash[] }[] = []
  const miner = ({ address }: DevelopmentAccount, tokenId = native.id): MinerSession => ({
    id: beacons.length,
    miner: { address, tokenId },
    outstanding: null,
    offer: null,
    hail: { data: {}, host: '', atMs: 0 } as never,
    score: 1,
    lastBeaconAtMs: null,
    isAlive: true,
    isProven: false,
    isHailSigned: () => false,
    hasStake: true,
    answeredHash: null,
    isThere: () => Promise.resolve(true),
    rank: () => {},
    send: () => {},
    dismiss: () => {},
    terminate: () => {},
  })
  const pay = (count: number): void => {
    for (let made = 0; made < count; made++) {
      const { transaction, hash } = payment(genesis, { from: alice, to: bob.address, amount: 10n ** 10n })
      mempool.add(transaction, hash)
    }
  }
  /** Somebody's microblock of the oldest transactions that are in none yet. */
  const mine = (account: DevelopmentAccount, tokenId = native.id): void => {
    const entries = mempool.take({ limit: 1, nowMs: 0, pendingTimeoutMs: -1, isSettled: open.holds })
    open.add(createFallbackMiner({ account, nativeTokenId: tokenId }).publish(open.keyBlock, entries))
  }
  const feed = (
    miners: readonly MinerSession[],
    ledger: LedgerState = createLedgerState(genesis.content),
    declines = 0,
  ): void => {
    const network = genesis.parameters
    const settings = gatewaySettings(options)
    const candidates = createCandidates({ ...settings, ledger, network, minerOf: () => undefined })
    for (const session of miners) candidates.put(session)
    for (const session of miners) candidates.rest(session, clock.now())
    candidates.endRests(clock.now())
    let declined = 0
    const gateway: GatewayEnd = {
      stand: () => ({
        keyBlockHash: open.keyBlock.hash,
        staked: candidates.staked(),
        stakedTokens: candidates.stakedTokens(),
        rested: candidates.rested,
      }),
      offer({ transactions, ...group }, answer) {
        const isDeclining = declined++ < declines
        const chosen = isDeclining ? undefined : candidates.choose(group, Math.random)
        answer(chosen?.weight ?? null)
        if (chosen === undefined) return
        const { session } = chosen
        session.lastBeaconAtMs = clock.now()
        candidates.rest(session, clock.now())
        beacons.push({ publisher: session.miner.address, hashes: transactions.map(transactionHash) })
      },
      contest: () => {},
      hailOf: () => {},
      evict: () => {},
    }
    offerMicroblocks({
      open,
      gateways: [gateway],
      mempool,
      keepAlive: null,
      ledger,
      balances: ledger,
      network,
      settings,
      nowMs: clock.now(),
      random: Math.random,
      number: () => 0,
    })
  }
  return { clock, mempool, open, beacons, miner, pay, mine, feed }
}

test('offers nothing while nothing waits', () => {
  const { beacons, miner, feed } = setUp()
  feed([miner(alice)])
  expect(beacons).toEqual([])
})

test('marks nothing as offered while nobody is there', () => {
  const { mempool, pay, feed } = setUp()
  pay(1)
  feed([])
  expect(mempool.entries()[0]?.offeredCount).toBe(0)
})

test('what a gateway declines may be offered again at once', () => {
  const { mempool, beacons, miner, pay, feed } = setUp()
  pay(1)
  feed([miner(alice)], undefined, 1000)
  expect(beacons).toEqual([])
  expect(mempool.entries()[0]).toMatchObject({ offeredCount: 0, lastOfferedAtMs: null })
  feed([miner(alice)])
  expect(beacons).toHaveLength(1)
})

test('what a gateway declines is offered for the next place, before what came later', () => {
  const { mempool, beacons, miner, pay, feed } = setUp()
  pay(6)
  feed([miner(alice), miner(bob)], undefined, 1)
  const offered = mempool.entries().map(({ hash }) => hash)
  expect(beacons.map(({ hashes }) => hashes)).toEqual([offered.slice(0, 3), offered.slice(3)])
  expect(mempool.entries().map(({ offeredCount }) => offeredCount)).toEqual([1, 1, 1, 1, 1, 1])
})

test('an offer that is declined late takes nothing from the one that came after it', () => {
  const { mempool, pay } = setUp()
  pay(1)
  const take = (nowMs: number) => {
    const entries = mempool.take({ limit: 3, nowMs, pendingTimeoutMs: 2000 })
    mempool.markOffered(entries, { nowMs, tokenId: native.id })
    return entries
  }
  const first = take(1000)
  expect(first).toHaveLength(1)
  expect(take(3000)).toHaveLength(1)
  mempool.withdrawOffer(first, 1000)
  expect(take(3100)).toEqual([])
})

test('gives one miner one beacon per interval, of three transactions at most', async () => {
  const { clock, beacons, miner, pay, feed } = setUp()
  pay(10)
  const miners = [miner(alice)]
  feed(miners)
  feed(miners)
  expect(beacons.map(({ hashes }) => hashes.length)).toEqual([3])
  await clock.advance(100)
  feed(miners)
  expect(beacons).toHaveLength(2)
})

test('spreads a few transactions over the miners', () => {
  const { beacons, miner, pay, feed } = setUp()
  pay(3)
  feed([miner(alice), miner(bob), miner(carol)])
  expect(new Set(beacons.map(({ publisher }) => publisher)).size).toBe(3)
  const offered = beacons.flatMap(({ hashes }) => hashes)
  expect(new Set(offered).size).toBe(3)
})

test('serves the token of a slot owner first', () => {
  const { beacons, miner, pay, feed } = setUp()
  pay(1)
  feed([miner(alice), miner(bob, mineable.id)])
  expect(beacons.map(({ publisher }) => publisher)).toEqual([bob.address])
})

test('what a miner left unanswered goes to the miners of another token, whoever owns the slot', async () => {
  const { clock, beacons, miner, pay, feed } = setUp()
  pay(1)
  const miners = [miner(alice), miner(bob, mineable.id)]
  for (let round = 0; round < 3; round++) {
    feed(miners)
    await clock.advance(2000)
  }
  expect(beacons.map(({ publisher }) => publisher)).toEqual([bob.address, alice.address, bob.address])
})

test('an offer that is withdrawn does not hide the one before it, which was in vain', async () => {
  const { clock, mempool, beacons, miner, pay, feed } = setUp()
  pay(1)
  feed([miner(bob, mineable.id)])
  await clock.advance(2000)
  feed([miner(alice)], undefined, 1000)
  expect(mempool.entries()[0]).toMatchObject({ offeredCount: 1, lastOfferedIn: mineable.id })
  feed([miner(bob, mineable.id), miner(alice)])
  expect(beacons.map(({ publisher }) => publisher)).toEqual([bob.address, alice.address])
})

test('what was left unanswered is offered to the same token if nobody mines another', async () => {
  const { clock, beacons, miner, pay, feed } = setUp()
  pay(1)
  const miners = [miner(bob, mineable.id)]
  feed(miners)
  await clock.advance(2000)
  feed(miners)
  expect(beacons.map(({ publisher }) => publisher)).toEqual([bob.address, bob.address])
})

test('sends no more beacons when the macroblock is full and has a native microblock', () => {
  const { beacons, miner, pay, mine, feed } = setUp({ maxMicroblocks: 2 })
  pay(5)
  mine(alice, mineable.id)
  mine(bob, mineable.id)
  feed([miner(carol)])
  expect(beacons).toHaveLength(1)
  mine(bob)
  feed([miner(carol)])
  expect(beacons).toHaveLength(1)
})

test('sends no more beacons after the watchdog, unless a native microblock is missing', async () => {
  const { clock, beacons, miner, pay, mine, feed } = setUp()
  pay(9)
  await clock.advance(12_000)
  feed([miner(alice)])
  expect(beacons).toHaveLength(1)
  mine(bob)
  feed([miner(carol)])
  expect(beacons).toHaveLength(1)
})

test('offers to a miner without stake when there is no other', () => {
  const { beacons, miner, pay, feed } = setUp()
  pay(1)
  feed([miner({ ...alice, address: `02${'0'.repeat(64)}` as never })])
  expect(beacons).toHaveLength(1)
})

const nobody = (number: number): DevelopmentAccount => ({
  ...alice,
  address: `02${number.toString(16).padStart(64, '0')}` as never,
})
const invented = (number: number) => number.toString(16).padStart(64, 'f') as TokenId

test('silent sockets of invented tokens and without stake take no place from a miner that could publish', async () => {
  const { clock, beacons, miner, pay, feed } = setUp()
  const silent = Array.from({ length: 50 }, (_, number) =>
    miner(nobody(number), number % 2 === 0 ? invented(number) : mineable.id),
  )
  const miners = [...silent, miner(alice)]
  pay(9)
  for (let round = 0; round < 20; round++) {
    feed(miners)
    // Nor while the honest miner rests: what is offered meanwhile would be kept from it until the time-out.
    await clock.advance(50)
  }
  expect(beacons.map(({ publisher }) => publisher)).toEqual([alice.address, alice.address, alice.address])
})

test('a stake of less than one coin counts, as long as the token asks for no more', () => {
  const { beacons, miner, pay, feed } = setUp()
  const { content } = genesis
  const fine = { ...mineable, id: invented(1), mining: { ...mineable.mining, minimumStake: 1n } } as Token
  const ledger = createLedgerState({
    ...content,
    tokens: [...content.tokens, fine],
    balances: [...content.balances, { account: bob.address, tokenId: fine.id, amount: 5n as Amount }],
  })
  pay(2)
  feed([miner(alice), miner(bob, fine.id)], ledger)
  expect(new Set(beacons.map(({ publisher }) => publisher)).size).toBe(2)
})
