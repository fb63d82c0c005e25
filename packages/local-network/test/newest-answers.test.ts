import { afterEach, expect, test } from 'vitest'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '../src/serve.ts'
import type { ChainPlace } from '../src/store/open-chain-store.ts'
import { describeEngines } from './engines.ts'
import { payment, postTransaction } from './payments.ts'

const COIN = 10n ** 10n
const MACROBLOCKS = 5
const READERS = 2

const quiet: LocalNetworkOptions = { blockTimeMs: 3_600_000, keepAlive: false }

const startAt = ({ folder, database }: ChainPlace): Promise<LocalNetwork> =>
  startLocalNetwork({ ...quiet, dataDirectory: folder, database, seed: 'newest' })

async function textOf({ apiUrl }: LocalNetwork, path: string): Promise<string> {
  const response = await fetch(apiUrl + path)
  expect(response.status, path).toBe(200)
  return response.text()
}

async function numberIn(network: LocalNetwork, path: string, member: string): Promise<bigint> {
  const [, digits] = new RegExp(`"${member}":"?(\\d+)`).exec(await textOf(network, path)) ?? []
  return BigInt(digits ?? 0)
}

/** Values that grow with each macroblock of {@link payOnce}, by query. */
const growing: Readonly<Record<string, (network: LocalNetwork, receiver: string) => Promise<bigint>>> = {
  height: (network) => numberIn(network, '/height', 'height'),
  balance: (network, receiver) => numberIn(network, `/balance?id=${receiver}`, 'amount'),
  transfers: (network) => numberIn(network, `/token_info?hash=${network.tokens.native.id}`, 'txs_count'),
  history: (network, receiver) => numberIn(network, `/account_in?id=${receiver}&page=0`, 'i'),
  'balance of a history': (network, receiver) => numberIn(network, `/account_in?id=${receiver}`, 'balance'),
}

/** Pays the second developer and closes the macroblock; returns the hash of the payment. */
async function payOnce(network: LocalNetwork): Promise<string> {
  const [from, to] = network.accounts.developers
  if (from === undefined || to === undefined) throw new Error('there are five developers')
  const { transaction, hash } = payment(network, { from, to: to.address, amount: COIN })
  const response = await postTransaction(network.apiUrl, transaction)
  expect(await response.json()).toEqual({ err: 0, result: [{ hash, status: 0 }] })
  await network.closeNow()
  return hash
}

describeEngines('answers and the newest macroblock', ({ name, newPlace }) => {
  const running: LocalNetwork[] = []
  afterEach(async () => {
    for (const network of running.splice(0)) await network.stop()
  })

  /** One process on the embedded engine; on a server one that leads and one that follows. */
  async function startAll(): Promise<readonly [LocalNetwork, ...LocalNetwork[]]> {
    const place = await newPlace()
    const first = await startAt(place)
    running.push(first)
    if (name === 'embedded') return [first]
    const second = await startAt(place)
    running.push(second)
    return [first, second]
  }

  test('nobody is reported less than somebody was reported before', async () => {
    const networks = await startAll()
    const [leader] = networks
    const receiver = leader.accounts.developers[1]?.address ?? ''
    await payOnce(leader)
    const reported = new Map(Object.keys(growing).map((what) => [what, 0n]))
    let isOver = false
    const older: string[] = []
    const read = async (network: LocalNetwork): Promise<void> => {
      while (!isOver) {
        for (const [what, ask] of Object.entries(growing)) {
          const before = reported.get(what) ?? 0n
          const answer = await ask(network, receiver)
          if (answer < before) older.push(`${what} ${answer} after ${before} (${network.role()})`)
          if (answer > (reported.get(what) ?? 0n)) reported.set(what, answer)
        }
      }
    }
    const readers = networks.flatMap((network) => Array.from({ length: READERS }, () => read(network)))
    try {
      for (let closed = 0; closed < MACROBLOCKS; closed++) {
        const hash = await payOnce(leader)
        const height = BigInt(leader.height())
        for (const network of networks) {
          expect(await growing.height?.(network, receiver)).toBe(height)
          expect(await textOf(network, `/tx?hash=${hash}`)).toContain('"status":3')
          expect(await textOf(network, `/macroblock_by_height?height=${height - 1n}`)).not.toContain(
            '"reward":null',
          )
        }
      }
    } finally {
      isOver = true
      await Promise.all(readers)
    }
    expect(older).toEqual([])
    expect([...reported.values()].every((answer) => answer > 0n)).toBe(true)
  })

  test('what was taken off the chain is answered by nobody', async () => {
    const networks = await startAll()
    const [leader] = networks
    const receiver = leader.accounts.developers[1]?.address ?? ''
    await payOnce(leader)
    const before = await leader.control.snapshot()
    const balance = await growing.balance?.(leader, receiver)
    const history = await growing.history?.(leader, receiver)
    const hash = await payOnce(leader)
    const paths = [`/tx?hash=${hash}`, `/account_in?id=${receiver}&page=0`, `/balance?id=${receiver}`]
    // Twice, so that what can be remembered is.
    for (const path of [...paths, ...paths]) await textOf(leader, path)
    await leader.control.revert(before)
    for (const network of networks) {
      expect(await textOf(network, `/tx?hash=${hash}`)).toBe('')
      expect(await growing.balance?.(network, receiver)).toBe(balance)
      expect(await growing.history?.(network, receiver)).toBe(history)
    }
  })
})
