import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Client,
  createClient,
  createPayments,
  createWallet,
  openFileJournal,
  type Wallet,
} from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { type PayoutRule, payOut, toAmount } from '@hailstone/mining-node/amounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nativeToken } from '../../local-network/test/native-token.ts'
import { type AttemptParameters, attemptPayout } from '../src/payout/attempt-payout.ts'
import { type CommandWorld, createCommandWorld } from './command-child.ts'

const COIN = 10n ** 10n
const DAY_MS = 86_400_000

let network: LocalNetwork
let client: Client
let folder: string
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'payouts', blockTimeMs: 200, nativeTokenId: nativeToken() })
  client = createClient({ apiUrl: network.apiUrl })
})
afterAll(async () => {
  await client.close()
  await network.stop()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-payouts-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** An account with coins, whose surplus goes to another one. */
class Miner {
  readonly wallet: Wallet = createWallet()
  readonly to = createWallet().address
  readonly rule: PayoutRule
  readonly due: bigint[] = []
  nowMs = 30 * DAY_MS
  minimumStake = 25n * COIN
  height = 0

  constructor(rule: Partial<PayoutRule> = {}) {
    const { id: tokenId } = network.tokens.native
    this.rule = { to: this.to, tokenId, above: 100n * COIN, least: 10n * COIN, everyMs: DAY_MS, ...rule }
  }

  /** Confirms the receiver at the height of this moment. */
  async fund(coins: bigint): Promise<void> {
    await network.control.fund(this.wallet.address, coins * COIN)
    this.height = await client.getHeight()
  }

  journal = (name = 'own'): string => join(folder, `${name}.journal`)

  async payOut(given: Partial<AttemptParameters> & { readonly journal?: string } = {}) {
    const { journal = this.journal(), ...more } = given
    const { amount } = await client.getBalance({ address: this.wallet.address })
    return attemptPayout({
      ...{ client, wallet: this.wallet, rule: this.rule, decimals: 10 },
      confirmed: { to: this.to, height: this.height },
      readings: {
        ...{ isChainProved: true, minimumStake: this.minimumStake },
        balance: { amount, isStale: false },
      },
      openJournal: () => openFileJournal({ path: journal }),
      onDue: ({ amount: due }) => void this.due.push(due),
      signal: new AbortController().signal,
      now: () => this.nowMs,
      payments: { confirmations: 1, pollMs: 50 },
      ...more,
    })
  }

  /** Gross amounts of what the receiver got, each executed transaction once. */
  async paid(): Promise<readonly bigint[]> {
    const amounts: bigint[] = []
    for await (const record of client.transactionsOf({ address: this.wallet.address }))
      if (record.recordType === 'iout' && record.status === 'confirmed') amounts.push(record.amount)
    return amounts
  }
}

/** Waits until what is in the pool is in blocks. */
const mined = (): Promise<unknown> => network.control.mine(3)

describe('attemptPayout', () => {
  it('pays what is above once, and nothing more in the period, however often it starts', async () => {
    const miner = new Miner()
    await miner.fund(147n)
    expect(await miner.payOut()).toMatchObject({
      ...{ status: 'paid', payment: { to: miner.to, amount: 40n * COIN } },
    })
    await network.control.fund(miner.wallet.address, 50n * COIN)
    for (const _ of [1, 2]) expect(await miner.payOut()).toEqual({ status: 'waits', why: 'paidThisPeriod' })
    expect(await miner.paid()).toEqual([40n * COIN])
    miner.nowMs += DAY_MS
    expect(await miner.payOut()).toMatchObject({ status: 'paid' })
    expect(await miner.paid()).toEqual([50n * COIN, 40n * COIN])
    expect(miner.due).toEqual([40n * COIN, 50n * COIN])
  })

  it.each(['intent stored', 'signed', 'bytes stored'])(
    'pays once when it is killed after "%s" and starts again',
    async (place) => {
      const miner = new Miner()
      await miner.fund(130n)
      // What was written when the process died is what the next one finds.
      const died = miner.payOut({
        payments: {
          ...{ confirmations: 1, pollMs: 50 },
          failpoint: (name) => {
            if (name === place) throw new Error('killed')
          },
        },
      })
      await expect(died).rejects.toThrow('killed')
      await miner.payOut()
      await mined()
      await miner.payOut()
      expect(await miner.paid()).toEqual([30n * COIN])
    },
  )

  it('pays nothing twice when its journal is restored from before a payment', async () => {
    const miner = new Miner()
    await miner.fund(130n)
    // The journal knows an earlier payment.
    expect(await miner.payOut()).toMatchObject({ status: 'paid' })
    await cp(miner.journal(), miner.journal('copy'))
    miner.nowMs += DAY_MS
    await network.control.fund(miner.wallet.address, 30n * COIN)
    expect(await miner.payOut()).toMatchObject({ status: 'paid' })
    // More came in meanwhile, so that it would be another amount.
    await network.control.fund(miner.wallet.address, 60n * COIN)
    expect(await miner.payOut({ journal: miner.journal('copy') })).toEqual({
      ...{ status: 'waits', why: 'paidElsewhere' },
    })
    expect(await miner.paid()).toEqual([30n * COIN, 30n * COIN])
  })

  it('pays nothing while a payment that its journal does not have is in the pool', async () => {
    const miner = new Miner()
    await miner.fund(130n)
    await network.control.pause()
    try {
      const { wallet, to } = miner
      const order = { from: wallet.address, to, amount: toAmount(30n * COIN) }
      const { fields } = await client.prepareTransaction(order)
      await client.sendSignedTransaction({ transaction: wallet.signTransaction(fields) })
      expect(await miner.payOut()).toEqual({ status: 'waits', why: 'paidElsewhere' })
    } finally {
      network.control.resume()
    }
    await mined()
    expect(await miner.paid()).toEqual([30n * COIN])
  })

  it('pays once from two processes that share nothing', async () => {
    const miner = new Miner()
    await miner.fund(130n)
    const names = ['one', 'two', 'three']
    const outcomes = await Promise.allSettled(
      names.map((name) => miner.payOut({ journal: miner.journal(name) })),
    )
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
    await mined()
    expect(await miner.paid()).toEqual([30n * COIN])
  })

  it.each([
    ['pays one amount from two machines between which a reward comes, if the amount is fixed', 30n * COIN],
    // Without a fixed amount the bytes differ: what the guide warns of.
    ['may pay two amounts from two machines between which a reward comes, if it is not', undefined],
  ])('%s', async (_, most) => {
    const miner = new Miner({ least: 30n * COIN, most })
    await miner.fund(160n)
    await network.control.pause()
    try {
      // One machine decides by what it has read before the reward, the other one before it can see that payment.
      const { getBalance } = client
      const ofSecond = { getBalance: async () => ({ ...(await getBalance(own)), amount: 130n * COIN }) }
      const own = { address: miner.wallet.address, tokenId: miner.rule.tokenId }
      const readings = {
        ...{ isChainProved: true, minimumStake: miner.minimumStake },
        balance: { amount: 130n * COIN, isStale: false },
      }
      const second = { ...client, ...ofSecond } as Client
      const journal = miner.journal('second')
      const outcomes = await Promise.all([
        miner.payOut({ settleMs: 1 }).catch(String),
        miner.payOut({ journal, client: second, readings, settleMs: 1 }).catch(String),
      ])
      const hashes = outcomes.map((outcome) => Object(Object(outcome).payment).hash)
      expect(new Set(hashes).size).toBe(most === undefined ? 2 : 1)
      expect(hashes).not.toContain(undefined)
    } finally {
      network.control.resume()
    }
    // Both send what they have signed, and settle it.
    await Promise.all([miner.payOut(), miner.payOut({ journal: miner.journal('second') })])
    if (most !== undefined) expect(await miner.paid()).toEqual([30n * COIN])
  })

  it('knows the payments that were there when the receiver was confirmed, and no later ones', async () => {
    const miner = new Miner()
    await miner.fund(200n)
    const elsewhere = miner.journal('elsewhere')
    expect(await miner.payOut({ journal: elsewhere })).toMatchObject({ status: 'paid' })
    await network.control.fund(miner.wallet.address, 30n * COIN)
    miner.nowMs += DAY_MS
    expect(await miner.payOut()).toEqual({ status: 'waits', why: 'paidElsewhere' })
    miner.height = await client.getHeight()
    expect(await miner.payOut()).toMatchObject({ status: 'paid' })
    expect(await miner.paid()).toHaveLength(2)
  })

  it('does not take for known what was paid in the block of the confirmation, after it', async () => {
    const miner = new Miner()
    await miner.fund(200n)
    await network.control.pause()
    try {
      miner.height = await client.getHeight()
      const { wallet, to } = miner
      const order = { from: wallet.address, to, amount: toAmount(30n * COIN) }
      const { fields } = await client.prepareTransaction(order)
      await client.sendSignedTransaction({ transaction: wallet.signTransaction(fields) })
      await network.control.mine(1)
    } finally {
      network.control.resume()
    }
    await mined()
    expect(await miner.payOut()).toEqual({ status: 'waits', why: 'paidElsewhere' })
    miner.height = await client.getHeight()
    expect(await miner.payOut()).toMatchObject({ status: 'paid' })
  })

  it('leaves what stays in the account also where another payment begins before it is signed', async () => {
    const miner = new Miner()
    await miner.fund(150n)
    const { wallet, to } = miner
    const journal = await openFileJournal({ path: miner.journal() })
    await using payments = await createPayments({ client, wallet, journal, confirmations: 1, pollMs: 50 })
    const getToken: Client['getToken'] = async (asked) => {
      await payments.pay({ to, amount: 40n * COIN })
      return client.getToken(asked)
    }
    const paid = payOut({
      ...{
        client: { ...client, getToken },
        payments,
        address: wallet.address,
        rule: miner.rule,
        decimals: 10,
      },
      confirmed: { to, height: miner.height },
      readings: {
        ...{ isChainProved: true, minimumStake: miner.minimumStake },
        balance: { amount: 150n * COIN, isStale: false },
      },
    })
    await expect(paid).rejects.toMatchObject({ code: 'PAYMENT_HOPELESS' })
    await mined()
    expect(await miner.paid()).toEqual([40n * COIN])
  })

  it('pays nothing below the stake, without a confirmed receiver, or above the fee cap', async () => {
    const miner = new Miner()
    await miner.fund(150n)
    miner.minimumStake = 145n * COIN
    expect(await miner.payOut()).toEqual({ status: 'waits', why: 'tooLittle' })
    miner.minimumStake = 25n * COIN
    const confirmed = { to: createWallet().address, height: 0 }
    expect(await miner.payOut({ confirmed })).toEqual({ status: 'waits', why: 'receiverNotConfirmed' })
    const readings = { isChainProved: true, balance: null, minimumStake: 0n }
    expect(await miner.payOut({ readings })).toEqual({ status: 'waits', why: 'balanceUnknown' })
    // The chain's own minimum is compared once more before anything is signed.
    const rule = { ...miner.rule, above: 0n }
    const lower = { isChainProved: true, balance: { amount: 150n * COIN, isStale: false }, minimumStake: 0n }
    expect(await miner.payOut({ rule, readings: lower })).toEqual({ status: 'waits', why: 'belowStake' })
    expect(await miner.payOut({ decimals: 8 })).toEqual({ status: 'waits', why: 'differs' })
    expect(await miner.paid()).toEqual([])
    expect(miner.due).toEqual([])
  })
})

describe('hailstone mine --payout-to', () => {
  let world: CommandWorld
  beforeEach(async () => {
    world = await createCommandWorld()
  })
  afterEach(() => world[Symbol.asyncDispose]())

  it('pays out while it mines, once over kill and restart, with the fee shown; off without it', async () => {
    const miner = new Miner()
    await miner.fund(1_150n)
    const keyFile = await world.keyFile('miner.key', miner.wallet.exportPrivateKey())
    const mine = [
      ...['mine', '--api', network.apiUrl, '--gateway', network.gatewayUrl, '--key-file', keyFile],
      ...['--block-time', '200ms', '--json'],
    ]
    const rule = ['--payout-to', miner.to, '--payout-above', '1000', '--payout-least', '50']

    const unconfirmed = await world.run([...mine, ...rule])
    expect(unconfirmed.code).toBe(2)
    expect(unconfirmed.out).toContain('Nobody has confirmed the address of --payout-to')

    const first = world.start([...mine, ...rule, '--payout-confirm'])
    const dueOf = () => first.lines().find(({ status, event }) => event === 'payout' && status === 'due')
    await world.until(() => dueOf() !== undefined, 'a payout is due')
    const due = dueOf() ?? {}
    expect(due).toMatchObject({ to: miner.to, amount: String(150n * COIN) })
    expect(BigInt(String(due.amount))).toBe(BigInt(String(due.fee)) + BigInt(String(due.net)))
    first.process.kill('SIGKILL')
    await first.ended

    const second = world.start([...mine, ...rule])
    const isPaid = () =>
      second.lines().some(({ event, status }) => event === 'payout' && status === 'confirmed')
    await world.until(isPaid, 'the payout is confirmed')
    second.process.kill('SIGTERM')
    expect((await second.ended).code).toBe(0)
    expect(await miner.paid()).toEqual([150n * COIN])

    const other = await world.run([...mine, ...rule.with(1, createWallet().address)])
    expect(other.out).toContain('Nobody has confirmed')

    await network.control.fund(miner.wallet.address, 500n * COIN)
    const off = world.start(mine)
    await off.event('rewarded')
    off.process.kill('SIGTERM')
    await off.ended
    expect(off.lines().filter(({ event }) => event === 'payout')).toEqual([])
    expect(await miner.paid()).toEqual([150n * COIN])
  })
  it('pays out of each account of a fleet', async () => {
    const miners = [new Miner(), new Miner()]
    const [{ to }] = miners as [Miner, Miner]
    for (const miner of miners) await miner.fund(1_150n)
    const keys = miners.map(({ wallet }) => wallet.exportPrivateKey())
    // A key twice is one account; one that is no key is refused, and the others mine and pay.
    const keysFile = await world.keyFile('keys', [...keys, keys[0], 'f'.repeat(64), ''].join('\n'))
    const fleet = [
      ...['fleet', '--api', network.apiUrl, '--gateway', network.gatewayUrl, '--keys-file', keysFile],
      ...['--block-time', '200ms', '--json'],
    ]
    const rule = ['--payout-to', to, '--payout-above', '1000', '--payout-least', '50']
    const unconfirmed = await world.run([...fleet, ...rule])
    expect(unconfirmed.code).toBe(2)
    expect(unconfirmed.out).toContain('for 2 of these accounts')
    const running = world.start([...fleet, ...rule, '--payout-confirm'])
    const paidBy = () =>
      running
        .lines()
        .flatMap(({ event, status, from }) => (event === 'payout' && status === 'confirmed' ? [from] : []))
    await world.until(() => paidBy().length === 2, 'both accounts have paid')
    running.process.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
    expect(paidBy().sort()).toEqual(miners.map(({ wallet }) => wallet.address).sort())
    for (const miner of miners) expect(await miner.paid()).toEqual([150n * COIN])
  })
})
