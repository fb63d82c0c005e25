import type { DevelopmentAccount } from '@hailstone/ledger'
import { addressOf, parseJson, parsePrivateKey, sha256Hex } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { payment, postTransaction } from './payments.ts'

const COIN = 10n ** 10n
/** Transactions of one macroblock: eight microblocks of three. */
const CAPACITY = 24

const stranger = (name: string): DevelopmentAccount => {
  const privateKey = parsePrivateKey(sha256Hex(name))
  return { name, privateKey, address: addressOf(privateKey) } as DevelopmentAccount
}

async function post(network: LocalNetwork, from: DevelopmentAccount) {
  const [, receiver] = network.accounts.developers
  if (receiver === undefined) throw new Error('there are five developers')
  const { transaction, hash } = payment(network, { from, to: receiver.address, amount: COIN })
  const response = await postTransaction(network.apiUrl, transaction)
  expect(response.status).toBe(200)
  return { hash, answer: (await response.json()) as { err: number; message?: string } }
}

const isConfirmed = async (network: LocalNetwork, hash: string): Promise<boolean> => {
  const text = await (await fetch(`${network.apiUrl}/tx?hash=${hash}`)).text()
  return text !== '' && (parseJson(text) as { status: bigint }).status === 3n
}

/** Returns the number of macroblocks until an honest payment is confirmed. */
async function honestDelay(network: LocalNetwork): Promise<number> {
  const [honest] = network.accounts.developers
  if (honest === undefined) throw new Error('there are five developers')
  const { hash, answer } = await post(network, honest)
  expect(answer.err).toBe(0)
  for (let macroblocks = 1; macroblocks <= 100; macroblocks++) {
    await network.closeNow()
    if (await isConfirmed(network, hash)) return macroblocks
  }
  throw new Error('not within 100 macroblocks')
}

const start = (pool = {}) =>
  startLocalNetwork({ blockTimeMs: 3_600_000, keepAlive: false, seed: 'pool', pool })

test('A-10: unfunded transactions of one key are refused beyond a quota, and delay nobody', async () => {
  await using network = await start()
  const poor = stranger('poor')
  const answers = []
  for (let count = 0; count < 10 * CAPACITY; count++) answers.push((await post(network, poor)).answer)
  expect(answers.filter(({ err }) => err === 0)).toHaveLength(64)
  expect(answers.at(-1)).toEqual({
    err: 1,
    message:
      'The sender has 64 or more waiting transactions and its balance does not cover this one. Send it again when it does.',
  })
  expect(await honestDelay(network)).toBe(1)
})

test('A-10: one unfunded transaction of each of many keys delays nobody, also when the pool is full', async () => {
  await using network = await start({ maxTransactions: 4 * CAPACITY })
  const answers = []
  for (let count = 0; count < 5 * CAPACITY; count++)
    answers.push((await post(network, stranger(`sybil ${count}`))).answer)
  expect(answers.filter(({ err }) => err === 0)).toHaveLength(4 * CAPACITY)
  expect(answers.at(-1)?.message).toBe(
    `The pool is full with ${4 * CAPACITY} transactions. Send it again after the next macroblock.`,
  )
  expect(await honestDelay(network)).toBe(1)
})

test('a funded sender that posts far more than a macroblock holds delays others by no macroblock', async () => {
  await using network = await start()
  const [, , rich] = network.accounts.developers
  for (let count = 0; count < 3 * CAPACITY; count++)
    if (rich !== undefined) expect((await post(network, rich)).answer.err).toBe(0)
  expect(await honestDelay(network)).toBe(1)
})

test('the old transactions of somebody, posted again, do not take its quota', async () => {
  await using network = await start({ maxPerSender: 10, maxUncoveredPerSender: 3 })
  const [honest, receiver] = network.accounts.developers
  if (honest === undefined || receiver === undefined) throw new Error('there are five developers')
  const old = Array.from({ length: 8 }, () =>
    payment(network, { from: honest, to: receiver.address, amount: COIN }),
  )
  const again = async (): Promise<void> => {
    for (const { transaction } of old) {
      await postTransaction(network.apiUrl, transaction)
    }
  }
  await again()
  await network.closeNow()
  await again()
  for (let count = 0; count < 7; count++) expect((await post(network, honest)).answer.err).toBe(0)
})
