import type { Amount } from '@hailstone/protocol'
import { sha256Hex, type TokenId, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { modelChain } from '../test/model-chain.ts'
import { steppedClock } from '../test/stepped-clock.ts'
import { miningState } from './mining-state.ts'
import {
  isContradicted,
  type MiningWarning,
  readStakeFacts,
  type StakeFacts,
  warningsOf,
} from './readiness.ts'
import type { SessionState } from './session/state.ts'
import { NOBODY_MINED, type OthersMined } from './watchers/follow-others.ts'

const units = (amount: bigint): Amount => amount as Amount
const token: StakeFacts['token'] = {
  symbol: 'DEV',
  decimals: 10,
  isMineable: true,
  minimumStake: units(250_000_000_000n),
  referrerStake: units(10_000_000_000_000n),
}
const facts: StakeFacts = { token, agent: null, nativeTokenId: ZERO_TOKEN_ID }
const rich = { amount: units(250_000_000_000n) }

const codes = (
  changes: Partial<StakeFacts>,
  rest: { balance?: typeof rich | null; isTokenChosen?: boolean } = {},
) =>
  warningsOf({
    facts: { ...facts, ...changes },
    tokenId: ZERO_TOKEN_ID,
    isTokenChosen: rest.isTokenChosen ?? false,
    balance: rest.balance === undefined ? rich : rest.balance,
  }).map(({ code }) => code)

describe('warnings', () => {
  it('are empty when stake and agent suffice to the unit', () => {
    expect(codes({})).toEqual([])
    expect(codes({ agent: { amount: units(10_000_000_000_000n), isKnown: true } })).toEqual([])
  })

  it('tell the three cases of an agent apart', () => {
    expect(codes({ agent: { amount: units(0n), isKnown: false } })).toEqual(['AGENT_WITHOUT_BALANCE'])
    expect(codes({ agent: { amount: units(9_999_999_999_999n), isKnown: true } })).toEqual([
      'AGENT_STAKE_TOO_LOW',
    ])
  })

  it('come of a stake one unit too low, and of none that was not read', () => {
    expect(codes({}, { balance: { amount: units(249_999_999_999n) } })).toEqual(['STAKE_TOO_LOW'])
    expect(codes({}, { balance: null })).toEqual([])
  })

  it('come of an agent whom others named and who holds one unit too little', () => {
    expect(codes({ invitedMiners: 2 })).toEqual(['REFERRER_STAKE_TOO_LOW'])
    expect(codes({ invitedMiners: 2 }, { balance: null })).toEqual([])
    expect(codes({ invitedMiners: 2 }, { balance: { amount: units(9_999_999_999_999n) } })).toHaveLength(1)
    expect(codes({ invitedMiners: 2 }, { balance: { amount: units(10_000_000_000_000n) } })).toEqual([])
    expect(codes({ invitedMiners: 0 })).toEqual([])
    const [warning] = warningsOf({
      facts: { ...facts, invitedMiners: 1 },
      tokenId: ZERO_TOKEN_ID,
      isTokenChosen: false,
      balance: rich,
    })
    expect(warning?.message).toBe(
      'Miners name you as referral agent, but you earn nothing of those who mine DEV: you hold 25 DEV, an agent needs 1000 DEV.',
    )
  })

  it('name a token that is unknown, not mineable, or not this network’s own', () => {
    expect(codes({ token: null })).toEqual(['TOKEN_UNKNOWN'])
    expect(codes({ token: { ...token, isMineable: false } })).toEqual(['TOKEN_NOT_MINEABLE'])
    const nativeTokenId: TokenId = sha256Hex('native') as string as TokenId
    expect(codes({ nativeTokenId })).toEqual(['NATIVE_TOKEN_DIFFERS'])
    expect(codes({ nativeTokenId }, { isTokenChosen: true })).toEqual([])
  })
})

describe('why a node is not mining', () => {
  const why = (session: SessionState, changes: Partial<Parameters<typeof miningState>[0]> = {}): string =>
    miningState({
      session,
      facts: null,
      warnings: [],
      isBalanceKnown: false,
      refusal: null,
      othersMined: NOBODY_MINED,
      ...changes,
    }).why
  const others = (microblocks: number, miners: number | null): { othersMined: OthersMined } => ({
    othersMined: { microblocks, miners },
  })
  const waiting = { status: 'waitingForBeacon', since: 0 } as const
  const tooLow = warningsOf({
    facts,
    tokenId: ZERO_TOKEN_ID,
    isTokenChosen: false,
    balance: { amount: units(1n) },
  })
  const suspected = {
    status: 'waiting',
    attempt: 2,
    delayMs: 1,
    reason: { kind: 'publicationSuspected' },
  } as const

  it.each([
    [why({ status: 'idle' }), 'not started'],
    [why({ status: 'connecting', attempt: 1 }), 'connecting to the gateway'],
    [why({ status: 'connecting', attempt: 3 }), 'connecting to the gateway, attempt 3'],
    [why(waiting), 'waiting for a beacon: the network is idle or your stake is below the minimum'],
    [why(waiting, { facts }), 'waiting for a beacon: the network is idle or your stake is below 25 DEV'],
    [why(waiting, { facts, isBalanceKnown: true }), 'waiting for a beacon: the network is idle'],
    [
      why(waiting, { facts, isBalanceKnown: true, ...others(3, 2) }),
      'not chosen yet: 2 others mined 3 blocks',
    ],
    [why(waiting, { facts, isBalanceKnown: true, ...others(1, 1) }), 'not chosen yet: 1 other mined 1 block'],
    [
      why(waiting, { facts, ...others(11, null) }),
      'not chosen yet, or your stake is below 25 DEV: others mined 11 blocks',
    ],
    [
      why(waiting, { facts, isBalanceKnown: true, warnings: tooLow }),
      'waiting for a beacon: your stake of 0.0000000001 DEV is below the minimum of 25 DEV',
    ],
    [
      why(waiting, { facts, refusal: 'no transactions' }),
      'waiting for a beacon that can be signed: the last one was refused: no transactions',
    ],
    [why({ status: 'mining', published: 1 }), ''],
    [why(suspected), 'cut off right after a publication: it may have been refused'],
    [
      why(suspected, { facts, warnings: tooLow }),
      'cut off right after a publication: it may have been refused: your stake of 0.0000000001 DEV is below the minimum of 25 DEV',
    ],
    [
      why({
        status: 'waiting',
        attempt: 1,
        delayMs: 1,
        reason: { kind: 'gatewayUnreachable', detail: 'ECONNREFUSED' },
      }),
      'gateway unreachable: ECONNREFUSED',
    ],
    [why({ status: 'stopped', reason: 'duplicateKey' }), 'duplicate key: another device mines with this key'],
  ])('reads: %s', (said, expected) => {
    expect(said).toBe(expected)
  })
})

it('a reward that a warning says nobody gets makes its facts be read again', () => {
  const warned = (code: MiningWarning['code']): readonly MiningWarning[] => [{ code, message: '' }]
  const half = { role: 'referral', amount: 5n }
  expect(isContradicted(warned('AGENT_WITHOUT_BALANCE'), half)).toBe(true)
  expect(isContradicted(warned('AGENT_WITHOUT_BALANCE'), { ...half, amount: 0n })).toBe(false)
  expect(isContradicted(warned('AGENT_WITHOUT_BALANCE'), { ...half, role: 'miner' })).toBe(false)
  expect(isContradicted(warned('REFERRER_STAKE_TOO_LOW'), { role: 'agent', amount: 5n })).toBe(true)
  expect(isContradicted([], half)).toBe(false)
})

it('an agent holds the token though one node does not know its account yet', async () => {
  const client = modelChain(`02${'ab'.repeat(32)}` as never).clientOf(steppedClock())
  const texts: Readonly<Record<string, string>> = {
    '/balance': '{"amount":0,"decimals":10,"delegated":0,"reward":0,"transit":0,"undelegated":0}',
    '/get_stake_limits': '{"min_stake":"250000000000","max_stake":"2500000000000","default_stake":"1"}',
    '/referrer_stake': '{"referrer_stake":"10000000000000"}',
    '/token_info': '[]',
  }
  let unknown = 3
  const request: typeof client.transport.request = async (asked) => {
    const text = asked.path === '/balance' && unknown-- <= 0 ? undefined : texts[asked.path]
    return text === undefined
      ? client.transport.request(asked)
      : { status: 200, text, contentType: 'application/json' }
  }
  const asked = { tokenId: ZERO_TOKEN_ID, referralAgent: `02${'11'.repeat(32)}` as never }
  const core = { ...client, transport: { ...client.transport, request } }
  const read = () => readStakeFacts(core, asked, new AbortController().signal)
  expect((await read()).agent?.isKnown).toBe(true)
  unknown = Number.POSITIVE_INFINITY
  expect((await read()).agent?.isKnown).toBe(false)
})
