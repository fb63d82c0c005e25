import type { DevelopmentAccount } from '@hailstone/ledger'
import { type ContractOrder, type JsonValue, parseJson, type Token, type TokenId } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { payment } from './payments.ts'
import { rawMiner } from './raw-miner.ts'

const COIN = 10n ** 10n
const FEE = COIN / 10n
const PRICE = 1000n * COIN
const REWARD_TO_STAKE = 16753000000n

let network: LocalNetwork
beforeAll(async () => {
  network = await startLocalNetwork({
    seed: 'tokens',
    blockTimeMs: 3_600_000,
    keepAlive: false,
    gateway: { feederIntervalMs: 10, beaconIntervalMs: 10 },
  })
})
afterAll(() => network.stop())

function developer(number: number): DevelopmentAccount {
  const account = network.accounts.developers[number]
  if (account === undefined) throw new Error('there are five developers')
  return account
}

type Answer = { readonly [name: string]: JsonValue }

async function get<T = Answer>(path: string): Promise<T> {
  const text = await (await fetch(network.apiUrl + path)).text()
  return (text === '' ? null : parseJson(text)) as T
}

/** The promise of an order, and the macroblock it waits for. */
async function closing<T>(order: Promise<T>): Promise<T> {
  // A refusal is looked at by the test, not by the process.
  order.catch(() => {})
  await new Promise((resolve) => setImmediate(resolve))
  await network.closeNow()
  return order
}

const send = (order: ContractOrder, from = developer(0)) => closing(network.sendOrder(order, { from }))

const mining = {
  maxSupply: 10_000n * COIN,
  blockReward: 5n * COIN,
  minimumStake: 10n * COIN,
  referrerStake: 100n * COIN,
  referralShareBps: 500,
}

describe('a token of each kind', () => {
  test('fixed: the creator gets the supply and pays price and fee; nothing changes the supply', async () => {
    const [creator] = [developer(0)]
    const before = network.balance(creator.address)
    const token = await closing(
      network.tokens.create({ symbol: 'STONE', name: 'Stone', decimals: 2, supply: 50_000n }),
    )
    expect(token).toMatchObject({
      symbol: 'STONE',
      owner: creator.address,
      totalSupply: 50_000n,
      mining: null,
    })
    expect(network.balance(creator.address)).toBe(before - PRICE - FEE)
    expect(network.balance(creator.address, token.id)).toBe(50_000n)
    const [shown] = await get<Answer[]>(`/token_info?hash=${token.id}`)
    expect(shown).toMatchObject({
      hash: token.id,
      caption: 'Stone',
      decimals: 2n,
      minable: 0n,
      reissuable: 0n,
    })
    for (const order of ['mint', 'burn'] as const) {
      const change = closing(network.tokens[order]({ tokenId: token.id, amount: 1n }))
      await expect(change).rejects.toMatchObject({
        code: 'ORDER_REJECTED',
        facts: { reason: 'token not reissuable' },
      })
    }
  })

  test('reissuable: the owner mints and burns, balance and supply together', async () => {
    const token = await closing(
      network.tokens.create({ symbol: 'WATER', supply: 100n, isReissuable: true, from: developer(1) }),
    )
    const units = () => network.balance(developer(1).address, token.id)
    const minted = await closing(network.tokens.mint({ tokenId: token.id, amount: 25n }))
    expect([minted.totalSupply, units()]).toEqual([125n, 125n])
    const burned = await closing(network.tokens.burn({ tokenId: token.id, amount: 100n }))
    expect([burned.totalSupply, units()]).toEqual([25n, 25n])
    await expect(closing(network.tokens.burn({ tokenId: token.id, amount: 26n }))).rejects.toMatchObject({
      code: 'ORDER_REJECTED',
    })
    const [shown] = await get<Answer[]>(`/token_info?hash=${token.id}`)
    expect(shown).toMatchObject({ reissuable: 1n, total_supply: 25n })
  })

  test('mineable: a miner of it is paid in it, and the supply grows', async () => {
    const owner = developer(2)
    const plan = { symbol: 'SNOW', supply: 1000n * COIN, mining, from: owner }
    const token = await closing(network.tokens.create(plan))
    expect(token.mining).toEqual(mining)
    const miner = await rawMiner(network.gatewayUrl, { privateKey: owner.privateKey, token: token.id })
    miner.mine()
    miner.hail()
    const published = new Promise((resolve) => network.on('microblockAccepted', resolve))
    await pay(developer(3), developer(4))
    await published
    await pay(developer(3), developer(4))
    miner.close()
    await network.closeNow()
    const [shown] = await get<{ total_supply: bigint }[]>(`/token_info?hash=${token.id}`)
    expect(shown?.total_supply).toBeGreaterThan(1000n * COIN)
    expect(network.balance(owner.address, token.id)).toBe(shown?.total_supply)
    const returns = await get<Answer[]>(`/roi?hash=${token.id}`)
    expect(returns[0]).toMatchObject({ stake: 10n * COIN })
    expect(Number(returns[0]?.roi)).toBeGreaterThan(Number(10n * COIN))
  })

  test('a fee of every kind is charged as planned', async () => {
    const fees = [
      { fee: { kind: 'fixed', units: 3n }, charged: 3n },
      { fee: { kind: 'percent', bps: 100, minimum: 1n }, charged: 900n },
      { fee: { kind: 'native', units: COIN }, charged: 0n },
    ] as const
    for (const { fee, charged } of fees) {
      const token = await closing(network.tokens.create({ symbol: 'FEE', supply: 1_000_000n, fee }))
      await pay(developer(0), developer(1), 100_000n, token.id)
      await network.closeNow()
      expect(network.balance(developer(1).address, token.id)).toBe(100_000n - charged)
    }
  })

  test('is listed with its owner, its kind and its holders', async () => {
    const owned = await get<{ token_hash: string }[]>(`/get_tokens_by_owner?owner=${developer(2).address}`)
    expect(owned).toHaveLength(1)
    const page = await get<{ tokens: Answer[] }>('/get_token_info_page?page=0&type=minable')
    const listed = page.tokens.find(({ token_hash }) => token_hash === owned[0]?.token_hash)
    expect(listed).toMatchObject({ minable: 1n, reissuable: 0n, token_holders_count: 1n, in_slot: 0n })
    expect(await get('/get_tokens_count')).toMatchObject({ minable: 3n, reissuable: 2n })
  })
})

async function pay(
  from: DevelopmentAccount,
  to: DevelopmentAccount,
  amount = COIN,
  tokenId: TokenId = network.tokens.native.id,
): Promise<void> {
  const native = { ...network.tokens.native, id: tokenId } as Token
  const { transaction } = payment({ tokens: { ...network.tokens, native } }, { from, to: to.address, amount })
  const { signature, tokenId: ticker, amount: units, ...rest } = transaction
  const response = await fetch(`${network.apiUrl}/tx`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ ...rest, amount: String(units), sign: signature, ticker }]),
  })
  expect(await response.json()).toMatchObject({ err: 0 })
}

describe('what the network rejects stays on chain', () => {
  test('a creation that is not paid for: no token, nothing charged, a record of either side', async () => {
    const poor = network.accounts.fallbackMiner
    const before = network.balance(poor.address)
    const creating = closing(network.tokens.create({ symbol: 'POOR', supply: 1n, from: poor }))
    const failure = await creating.catch((error: unknown) => error as { facts: { hash: string } })
    expect(failure).toMatchObject({
      code: 'ORDER_REJECTED',
      facts: { reason: 'balance below amount' },
    })
    const { hash } = (failure as { facts: { hash: string } }).facts
    expect(await get(`/tx?hash=${hash}`)).toMatchObject({ status: 2n, from: poor.address })
    expect(await get(`/token_info?hash=${hash}`)).toEqual([])
    // It mined the block that holds its own rejected order, and was charged nothing.
    expect(network.balance(poor.address)).toBeGreaterThan(before)
    const history = await get<{ records: Answer[] }>(`/account_out?id=${poor.address}&page=0`)
    expect(history.records[0]).toMatchObject({ hash, status: 2n })
  })

  test('mint and burn by somebody who does not own the token', async () => {
    const { reissuable } = network.tokens
    for (const type of ['mint', 'burn'] as const) {
      const outcome = await send({ type, tokenId: reissuable.id, amount: 5n as never }, developer(4))
      expect(outcome).toMatchObject({ status: 'rejected', refusal: 'senderNotTokenOwner' })
      expect(await get(`/tx?hash=${outcome.hash}`)).toMatchObject({ status: 2n })
    }
    const [shown] = await get<Answer[]>(`/token_info?hash=${reissuable.id}`)
    expect(shown).toMatchObject({ total_supply: reissuable.totalSupply })
  })

  test('a plan of wrong form never gets that far', async () => {
    const wrong = [
      { symbol: 'lower', supply: 1n },
      { symbol: 'OK', supply: 1n, decimals: 11 },
      { symbol: 'OK', supply: 1n, isReissuable: true, mining },
      { symbol: 'OK', supply: 1n, mining: { ...mining, maxSupply: 0n } },
      { symbol: 'OK', supply: 1n, name: 'x'.repeat(41) },
    ]
    for (const plan of wrong) {
      await expect(network.tokens.create(plan)).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' })
    }
    await expect(network.tokens.create({ symbol: 'OK', supply: -1n })).rejects.toMatchObject({
      code: 'AMOUNT_OUT_OF_RANGE',
    })
    const unknown = network.tokens.mint({ tokenId: 'ab'.repeat(32) as TokenId, amount: 1n })
    await expect(unknown).rejects.toMatchObject({ code: 'TOKEN_UNKNOWN' })
  })

  test('whoever stops waiting gets the own reason back', async () => {
    const stop = new AbortController()
    const waiting = network.tokens.create({ symbol: 'LATE', supply: 1n, signal: stop.signal })
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await network.closeNow()
  })
})

describe('stakes', () => {
  let poolId = ''
  const balance = (account: DevelopmentAccount) => get(`/balance?id=${account.address}`)

  test('a delegation leaves the balance and earns with every statblock', async () => {
    const pools = await get<{ pos_contracts: Answer[]; total_stake: bigint }>('/get_pos_list_all')
    const [pool] = pools.pos_contracts
    poolId = String(pool?.pos_id)
    const delegator = developer(3)
    const before = network.balance(delegator.address)
    const amount = (100n * COIN) as never
    expect(await send({ type: 'delegate', poolId, amount }, delegator)).toMatchObject({
      status: 'confirmed',
    })
    expect(network.balance(delegator.address)).toBe(before - 100n * COIN - FEE)
    expect(await balance(delegator)).toMatchObject({ delegated: 100n * COIN, transit: 0n, undelegated: 0n })
    const after = await get<{ total_stake: bigint }>('/get_pos_list_all')
    expect(after.total_stake).toBe(pools.total_stake + 100n * COIN)
    await pay(developer(0), developer(1))
    await network.closeNow()
    const { reward } = (await balance(delegator)) as { reward: bigint }
    expect(reward).toBeGreaterThan(0n)
    expect(await get(`/get_delegated_list?delegator=${delegator.address}`)).toMatchObject([
      { rank: 1n, pos_id: poolId, delegated: 100n * COIN, undelegated: 0n, transit: 0n, reward },
    ])
  })

  test('the statblock of each macroblock names the pool and what all of it earned', async () => {
    const macroblock = await get<{ sblocks: { hash: string }[] }>(
      `/macroblock_by_height?height=${network.height() - 1}`,
    )
    const { header } = await get<{ header: Answer }>(`/sblock?hash=${macroblock.sblocks[0]?.hash}`)
    expect(header).toMatchObject({ publisher: poolId, reward: REWARD_TO_STAKE })
    const history = await get<{ records: Answer[] }>(`/account_sreward?id=${poolId}&page=0`)
    expect(history.records[0]).toMatchObject({ sreward: REWARD_TO_STAKE })
  })

  test('a reward is claimed once, and recorded', async () => {
    const delegator = developer(3)
    const { reward } = (await balance(delegator)) as { reward: bigint }
    const before = network.balance(delegator.address)
    const { hash, status } = await send({ type: 'pos_reward', poolId }, delegator)
    expect(status).toBe('confirmed')
    expect(network.balance(delegator.address)).toBe(before + reward - FEE)
    const records = await get<Answer[]>(`/eindex_by_hash?hash=${hash}`)
    expect(records).toContainEqual(
      expect.objectContaining({ id: delegator.address, rectype: 'ic', value: reward }),
    )
  })

  test('coins taken out are locked for ten blocks, then claimed once', async () => {
    const delegator = developer(3)
    const amount = (40n * COIN) as never
    const { hash } = await send({ type: 'undelegate', poolId, amount }, delegator)
    expect(await balance(delegator)).toMatchObject({ delegated: 60n * COIN, transit: 40n * COIN })
    const list = `/get_undelegated_list?delegator=${delegator.address}`
    expect(await get(list)).toMatchObject([
      { tx_hash: hash, pos_id: poolId, amount: 40n * COIN, transfer_lock: 1n },
    ])
    const claim = { type: 'transfer', undelegationId: hash } as const
    expect(await send(claim, delegator)).toMatchObject({ refusal: 'undelegationLocked' })
    for (let block = 0; block < 10; block++) {
      await pay(developer(0), developer(1))
      await network.closeNow()
    }
    expect(await get(list)).toMatchObject([{ transfer_lock: 0n }])
    expect(await balance(delegator)).toMatchObject({ transit: 0n, undelegated: 40n * COIN })
    const before = network.balance(delegator.address)
    expect(await send(claim, delegator)).toMatchObject({ status: 'confirmed' })
    expect(network.balance(delegator.address)).toBe(before + 40n * COIN - FEE)
    expect(await get(list)).toEqual([])
    expect(await send(claim, delegator)).toMatchObject({ refusal: 'undelegationUnknown' })
  })

  test('more than was delegated is not given back, and an unknown pool takes nothing', async () => {
    const much = { type: 'undelegate', poolId, amount: (61n * COIN) as never } as const
    expect(await send(much, developer(3))).toMatchObject({ refusal: 'delegationTooSmall' })
    const nowhere = { type: 'delegate', poolId: 'ab'.repeat(32), amount: COIN as never } as const
    expect(await send(nowhere, developer(3))).toMatchObject({ refusal: 'stakePoolUnknown' })
  })

  test('a new pool is listed, unvoted', async () => {
    const order = { type: 'create_pos', feeBps: 250, name: 'A new pool' } as const
    const { hash } = await send(order, developer(4))
    const { pos_contracts } = await get<{ pos_contracts: Answer[] }>('/get_pos_list_page?page=0')
    expect(pos_contracts.find(({ pos_id }) => pos_id === hash)).toMatchObject({
      rank: 2n,
      active: 0n,
      fee: 250n,
      stake: 0n,
      name: 'A new pool',
    })
    expect(await get('/get_pos_list_count')).toEqual({ count: 2n })
    expect(await get<Answer[]>('/get_pos_names')).toContainEqual({ pos_id: hash, name: 'A new pool' })
  })
})
