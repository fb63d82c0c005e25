import { createGenesis, createLedgerState, type LedgerState } from '@hailstone/ledger'
import type { Address, Amount, Hash, Token, TokenId } from '@hailstone/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gateSize } from '../../../../scripts/gate-size.ts'
import { seed } from '../../../../scripts/seed.ts'
import { type Random, selectionWeight } from '../chain/selection.ts'
import { drawGateway } from '../leader/draw-gateway.ts'
import type { GatewayEnd } from '../leader/gateway-end.ts'
import { type Candidates, createCandidates } from './candidates.ts'
import type { MinerSession } from './session.ts'

const genesis = createGenesis({ seed: 'candidates', time: 0 })
const { native, mineable } = genesis.tokens
const network = genesis.parameters
const COIN = 10n ** 10n
const INTERVAL_MS = 100

const tokenOf = (name: string, minimumStake: bigint): Token =>
  ({
    ...mineable,
    id: name.padEnd(64, '0') as TokenId,
    owner: `owner of ${name}`,
    mining: { ...mineable.mining, minimumStake },
  }) as Token
const tokens = [native, mineable, tokenOf('a', 1n), tokenOf('b', 5n * COIN)]
const addressOf = (number: number): Address => `02${number.toString(16).padStart(64, '0')}` as Address

const sessionOf = (number: number, tokenId: TokenId): MinerSession => ({
  id: number,
  miner: { address: addressOf(number), tokenId },
  outstanding: null,
  offer: null,
  hail: { data: {}, host: '', atMs: 0 } as never,
  score: 1,
  lastBeaconAtMs: null,
  isAlive: true,
  isProven: false,
  isHailSigned: () => false,
  hasStake: false,
  answeredHash: null,
  isThere: () => Promise.resolve(true),
  rank: () => {},
  send: () => {},
  dismiss: () => {},
  terminate: () => {},
})

const balanceOf = (number: number, tokenId: TokenId, amount: bigint) => ({
  account: addressOf(number),
  tokenId,
  amount: amount as Amount,
})

const ledgerOf = (balances: readonly ReturnType<typeof balanceOf>[]): LedgerState =>
  createLedgerState({ tokens, balances })

/** The miners that take part, as PROTOCOL 5.7 says it: each is looked at. */
function takingPart(ledger: LedgerState, miners: readonly MinerSession[], nowMs: number) {
  const staked = miners.filter(({ miner }) => {
    const minimum = ledger.token(miner.tokenId)?.mining?.minimumStake
    const balance = ledger.balance(miner.address, miner.tokenId)
    return minimum !== undefined && balance !== undefined && balance >= minimum
  })
  return (staked.length > 0 ? staked : miners).filter(
    ({ lastBeaconAtMs }) => lastBeaconAtMs === null || nowMs - lastBeaconAtMs >= INTERVAL_MS,
  )
}

const weightOf = (ledger: LedgerState, { miner }: MinerSession): bigint =>
  selectionWeight({
    balance: ledger.balance(miner.address, miner.tokenId) ?? 0n,
    token: ledger.token(miner.tokenId),
    nativeTokenId: native.id,
    maximumNativeStake: network.ledger.maximumNativeStake,
  })

const create = (ledger: LedgerState, miners: readonly MinerSession[] = []) => {
  const candidates = createCandidates({
    ledger,
    network,
    beaconIntervalMs: INTERVAL_MS,
    minerOf: (address) => miners.find(({ miner }) => miner.address === address),
  })
  for (const miner of miners) candidates.put(miner)
  return candidates
}

const keyBlockHash = 'f'.repeat(64) as Hash

/** Chooses as a leader and its gateways do: the leader a token and a gateway, the gateway one of its miners. */
function chooseOf(
  ledger: Pick<LedgerState, 'token'>,
  all: readonly Candidates[],
  { owner = null, random }: { readonly owner?: Address | null; readonly random: Random },
): MinerSession | undefined {
  const candidatesOf = new Map<GatewayEnd, Candidates>()
  for (const candidates of all) {
    const stand = () => ({
      keyBlockHash,
      staked: candidates.staked(),
      stakedTokens: candidates.stakedTokens(),
      rested: candidates.rested,
    })
    candidatesOf.set(
      { stand, offer: () => {}, contest: () => {}, hailOf: () => {}, evict: () => {} },
      candidates,
    )
  }
  const ownerOf = (tokenId: TokenId) => ledger.token(tokenId)?.owner
  const gateways = candidatesOf.keys()
  const drawn = drawGateway({
    gateways,
    keyBlockHash,
    slotOwner: owner,
    ownerOf,
    inVainIn: new Set(),
    random,
  })
  return drawn && candidatesOf.get(drawn.gateway)?.choose(drawn, random)?.session
}

/** A generator of numbers in [0, 1) that repeats itself for a seed (mulberry32). */
function seeded(start: number): Random {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

const unknownToken = 'f'.repeat(64) as TokenId
const anyToken = fc.constantFrom(...tokens.map(({ id }) => id), unknownToken)
const amount = fc.oneof(
  fc.constantFrom(0n, 1n, COIN, 5n * COIN, native.mining?.minimumStake ?? 0n),
  fc.bigInt(0n, 2000n * COIN),
)
const step = fc.oneof(
  fc.record({ kind: fc.constant('hail' as const), number: fc.nat({ max: 7 }), tokenId: anyToken }),
  fc.record({ kind: fc.constant('leave' as const), number: fc.nat({ max: 7 }) }),
  fc.record({ kind: fc.constant('pay' as const), number: fc.nat({ max: 7 }), tokenId: anyToken, amount }),
  fc.record({
    kind: fc.constant('terms' as const),
    minimumStake: fc.constantFrom(0n, COIN, 5n * COIN, 50n * COIN),
  }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.nat({ max: 150 }) }),
  fc.record({ kind: fc.constant('offer' as const), draw: fc.nat() }),
)
const slotOwners = [null, native.owner, mineable.owner, tokenOf('b', 0n).owner]

const ROWS = 12
const COLUMNS = 32

/**
 * Draws on a grid: the first number decides the token, the second the miner. A share of the grid has as many points as
 * its size says, one more or less.
 */
function expectShares(
  taking: readonly MinerSession[],
  ledger: LedgerState,
  { owner, candidates }: { readonly owner: Address | null; readonly candidates: Candidates },
): void {
  const own = taking.filter(({ miner }) => owner !== null && ledger.token(miner.tokenId)?.owner === owner)
  const possible = own.length > 0 ? own : taking
  const rows = new Map<TokenId, number>()
  for (let row = 0; row < ROWS; row++) {
    const counts = new Map<MinerSession, number>()
    for (let column = 0; column < COLUMNS; column++) {
      const numbers = [row / ROWS, column / COLUMNS]
      const session = chooseOf(ledger, [candidates], { owner, random: () => numbers.shift() ?? 0 })
      if (session === undefined) {
        expect(possible).toEqual([])
        return
      }
      counts.set(session, (counts.get(session) ?? 0) + 1)
    }
    expect([...counts.keys()].filter((session) => !possible.includes(session))).toEqual([])
    const tokenId = [...counts.keys()][0]?.miner.tokenId as TokenId
    rows.set(tokenId, (rows.get(tokenId) ?? 0) + 1)
    const ofToken = possible.filter(({ miner }) => miner.tokenId === tokenId)
    const total = ofToken.reduce((sum, one) => sum + weightOf(ledger, one), 0n)
    if (total === 0n) expect(counts.size).toBe(1)
    else
      for (const session of ofToken) {
        const share = (COLUMNS * Number(weightOf(ledger, session))) / Number(total)
        const isFair = Math.abs((counts.get(session) ?? 0) - share) <= 1
        expect({ session, share, isFair }).toMatchObject({ isFair: true })
      }
  }
  for (const tokenId of new Set(possible.map(({ miner }) => miner.tokenId))) {
    const miners = possible.filter(({ miner }) => miner.tokenId === tokenId).length
    const share = (ROWS * miners) / possible.length
    expect(Math.abs((rows.get(tokenId) ?? 0) - share)).toBeLessThanOrEqual(1)
  }
}

test('chooses whom a look at all miners chooses, whatever changed before', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 40, maxLength: 160 }), fc.nat({ max: 3 }), (steps, ownerAt) => {
      const ledger = ledgerOf([])
      let miners: MinerSession[] = []
      let nowMs = 0
      const candidates = createCandidates({
        ledger,
        network,
        beaconIntervalMs: INTERVAL_MS,
        minerOf: (address) => miners.find(({ miner }) => miner.address === address),
      })
      const leave = (number: number): void => {
        for (const miner of miners.filter(({ id }) => id === number)) candidates.remove(miner)
        miners = miners.filter(({ id }) => id !== number)
      }
      for (const one of steps) {
        if (one.kind === 'wait') nowMs += one.ms
        else if (one.kind === 'leave') leave(one.number)
        else if (one.kind === 'hail') {
          leave(one.number)
          const session = sessionOf(one.number, one.tokenId)
          miners.push(session)
          candidates.put(session)
        } else if (one.kind === 'offer') {
          candidates.endRests(nowMs)
          const session = chooseOf(ledger, [candidates], { random: seeded(one.draw) })
          if (session === undefined) continue
          session.lastBeaconAtMs = nowMs
          candidates.rest(session, nowMs)
        } else {
          const changes = {
            balances:
              one.kind === 'pay'
                ? [{ account: addressOf(one.number), tokenId: one.tokenId, before: 0n, after: one.amount }]
                : [],
            tokens: one.kind === 'terms' ? [tokenOf('b', one.minimumStake)] : [],
          }
          ledger.applyChanges({
            ...changes,
            stakePools: [],
            delegations: [],
            undelegations: [],
            calculated: [],
          })
          candidates.apply(changes)
        }
      }
      candidates.endRests(nowMs)
      const owner = slotOwners[ownerAt] as Address | null
      expectShares(takingPart(ledger, miners, nowMs), ledger, { owner, candidates })
      const fresh = create(ledger, miners)
      for (const miner of miners) fresh.rest(miner, nowMs)
      const reported = (one: Candidates) => [
        one.staked(),
        new Set(one.stakedTokens()),
        one.all(true),
        one.all(false),
        one.rested(true),
        one.rested(false),
      ]
      expect(reported(fresh)).toEqual(reported(candidates))
    }),
  )
})

/** Number of draws. Larger size: HAILSTONE_DRAWS=1000000 npx vitest run src/gateway/candidates.test.ts */
const DRAWS = gateSize('HAILSTONE_DRAWS', { change: 40_000, night: 200_000 })

test.each([1, 2, 5])(
  'D-9: the choice has the distribution of the protocol, however many gateways the miners are at: chi-square with %i',
  (gateways) => {
    const miners = Array.from({ length: 40 }, (_, number) =>
      sessionOf(number, tokens[number % tokens.length]?.id ?? native.id),
    )
    const ledger = ledgerOf(
      miners.map(({ id, miner: { tokenId } }) => balanceOf(id, tokenId, BigInt(20 + 37 * id) * COIN)),
    )
    // Gateways have different numbers of miners, and not all of them have miners of each token.
    const all = Array.from({ length: gateways }, (_, gateway) =>
      create(
        ledger,
        miners.filter(({ id }) => ((id * id) % 41) % gateways === gateway),
      ),
    )
    // A third of them rest, and one has left.
    for (const candidates of all) {
      for (const miner of miners.filter(({ id }) => id % 3 === 0)) {
        miner.lastBeaconAtMs = 1000
        candidates.rest(miner, 1000)
      }
      candidates.remove(miners[1] as MinerSession)
    }
    const taking = miners.filter(({ id }) => id % 3 !== 0 && id !== 1)
    const probabilityOf = (session: MinerSession): number => {
      const ofToken = taking.filter(({ miner }) => miner.tokenId === session.miner.tokenId)
      const weights = ofToken.reduce((sum, one) => sum + weightOf(ledger, one), 0n)
      return (ofToken.length / taking.length) * (Number(weightOf(ledger, session)) / Number(weights))
    }
    const counts = new Map<MinerSession, number>()
    const random = seeded(seed)
    for (let draw = 0; draw < DRAWS; draw++) {
      const session = chooseOf(ledger, all, { random })
      if (session !== undefined) counts.set(session, (counts.get(session) ?? 0) + 1)
    }
    expect([...counts.keys()].every((session) => taking.includes(session))).toBe(true)
    const possible = taking.filter((session) => probabilityOf(session) > 0)
    const chiSquare = possible.reduce((sum, session) => {
      const expected = DRAWS * probabilityOf(session)
      return sum + ((counts.get(session) ?? 0) - expected) ** 2 / expected
    }, 0)
    // With k degrees of freedom the mean is k and the variance 2k; seven deviations are beyond any seed.
    const freedom = possible.length - 1
    expect(chiSquare).toBeLessThan(freedom + 7 * Math.sqrt(2 * freedom))
  },
)

test('while all weights are 0, the first miner of the first gateway that has one is chosen', () => {
  const ledger = ledgerOf([])
  const [, second, third] = [1, 2, 3].map((number) => sessionOf(number, native.id)) as [
    MinerSession,
    MinerSession,
    MinerSession,
  ]
  const all = [create(ledger), create(ledger, [second]), create(ledger, [third])]
  expect(chooseOf(ledger, all, { random: () => 0.99 })).toBe(second)
})

test('a miner without stake is offered nothing while another gateway has one with a stake', () => {
  const [poor, rich] = [sessionOf(1, native.id), sessionOf(2, native.id)] as const
  const ledger = ledgerOf([balanceOf(2, native.id, 100n * COIN)])
  const all = [create(ledger, [poor]), create(ledger, [rich])]
  expect(chooseOf(ledger, all, { random: () => 0 })).toBe(rich)
  rich.lastBeaconAtMs = 0
  all[1]?.rest(rich, 0)
  expect(chooseOf(ledger, all, { random: () => 0 })).toBeUndefined()
})

test('a round asks the ledger for nobody, however many miners are there', () => {
  const miners = Array.from({ length: 3000 }, (_, number) => sessionOf(number, native.id))
  const ledger = ledgerOf(miners.map(({ id }) => balanceOf(id, native.id, 100n * COIN)))
  let asked = 0
  const counted = {
    token: ledger.token,
    holdsBalance: ledger.holdsBalance,
    balance: (account: Address, tokenId: TokenId) => {
      asked++
      return ledger.balance(account, tokenId)
    },
  }
  const candidates = createCandidates({
    ledger: counted,
    network,
    beaconIntervalMs: INTERVAL_MS,
    minerOf: () => undefined,
  })
  for (const miner of miners) candidates.put(miner)
  expect(asked).toBe(miners.length)
  for (let nowMs = 0; nowMs < 1000; nowMs += 100) {
    candidates.endRests(nowMs)
    const session = chooseOf(ledger, [candidates], { random: Math.random })
    if (session === undefined) throw new Error('should choose one')
    session.lastBeaconAtMs = nowMs
    candidates.rest(session, nowMs)
  }
  expect(asked).toBe(miners.length)
})

test('a clock that is put back lets nobody rest for longer', () => {
  const miners = [sessionOf(1, native.id)]
  const ledger = ledgerOf([balanceOf(1, native.id, 100n * COIN)])
  const candidates = create(ledger, miners)
  const [miner] = miners as [MinerSession]
  miner.lastBeaconAtMs = 3_600_000
  candidates.rest(miner, 3_600_000)
  candidates.endRests(3_600_050)
  expect(chooseOf(ledger, [candidates], { random: () => 0 })).toBeUndefined()
  candidates.endRests(50)
  expect(chooseOf(ledger, [candidates], { random: () => 0 })).toBe(miner)
})

test('a miner whose balance is not in memory has no stake until that was read, and keeps it from then on', () => {
  const [miner, other] = [sessionOf(1, native.id), sessionOf(2, native.id)]
  const ledger = createLedgerState({ tokens, balances: 'unknown' }, { maxBalances: 1 })
  const candidates = create(ledger)
  const read = (number: number) =>
    ledger.learnBalances(ledger.revision(), [balanceOf(number, native.id, 100n * COIN)])
  expect(candidates.put(miner)).toBe(false)
  expect([candidates.staked(), candidates.hasStake(miner)]).toEqual([0, false])
  read(1)
  expect(candidates.put(miner)).toBe(true)
  expect([candidates.staked(), candidates.hasStake(miner)]).toEqual([1, true])
  for (const number of [3, 4, 5, 6]) read(number)
  expect(ledger.holdsBalance(balanceOf(1, native.id, 0n))).toBe(false)
  expect([candidates.put(miner), candidates.put(other), candidates.staked()]).toEqual([true, false, 1])
  // Of another chain nothing is known.
  expect(candidates.weighAll()).toEqual([miner, other])
  expect(candidates.staked()).toBe(0)
})
