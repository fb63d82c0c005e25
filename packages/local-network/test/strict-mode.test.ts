import { networkInterfaces } from 'node:os'
import { type JsonValue, parseJson } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { type LocalNetwork, type LocalNetworkOptions, startLocalNetwork } from '../src/serve.ts'
import { highSOf } from './high-s.ts'
import { payment } from './payments.ts'
import { rawMiner } from './raw-miner.ts'

const COIN = 10n ** 10n

const start = (mode: LocalNetworkOptions['mode']) =>
  startLocalNetwork({
    mode,
    blockTimeMs: 3_600_000,
    gateway: { feederIntervalMs: 10, beaconIntervalMs: 10 },
  })

function developer(network: LocalNetwork, number: number) {
  const account = network.accounts.developers[number]
  if (account === undefined) throw new Error('there are five developers')
  return account
}

async function post(network: LocalNetwork, turn: (signature: string) => string): Promise<JsonValue> {
  const [from, to] = [developer(network, 0), developer(network, 1)]
  const { transaction } = payment(network, { from, to: to.address, amount: COIN })
  const { signature, tokenId, amount, ...rest } = transaction
  const body = [{ ...rest, amount: String(amount), sign: turn(signature), ticker: tokenId }]
  const response = await fetch(`${network.apiUrl}/tx`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return parseJson(await response.text())
}

const asMade = (signature: string): string => signature

/** Publishes with the signature flipped and returns the outcome. */
async function publishTurned(network: LocalNetwork): Promise<'accepted' | 'cut off'> {
  const { privateKey } = developer(network, 2)
  const miner = await rawMiner(network.gatewayUrl, { privateKey })
  miner.hail()
  const beacon = await miner.next()
  const accepted = new Promise<'accepted'>((resolve) => {
    network.on('microblockAccepted', () => resolve('accepted'))
  })
  miner.publish(beacon, { turn: highSOf })
  const outcome = await Promise.race([accepted, miner.closed.then(() => 'cut off' as const)])
  miner.close()
  return outcome
}

test('strict: high-S is refused in payments and publications, low-S is taken', async () => {
  await using network = await start('strict')
  expect(await post(network, highSOf)).toEqual({ err: 1n, message: 'Signature verification failed' })
  expect(await post(network, asMade)).toMatchObject({ err: 0n })
  expect(await publishTurned(network)).toBe('cut off')
})

test('strict: a hail that proves nothing ends the connection', async () => {
  await using network = await start('strict')
  const miner = await rawMiner(network.gatewayUrl, { privateKey: developer(network, 2).privateKey })
  miner.hail({ sign: '00' })
  await miner.closed
  expect(network.gateway.minersOnline()).toEqual([])
})

/** Addresses of this machine that a name in a URL can be. */
const ownAddresses = Object.values(networkInterfaces()).flatMap((all = []) =>
  all.filter(({ family }) => family === 'IPv4').map(({ address }) => address),
)

test('strict: listening on every address, it takes hails for its own hosts alone', async () => {
  await using network = await startLocalNetwork({
    mode: 'strict',
    host: '0.0.0.0',
    allowHosts: ['198.51.100.7', 'gateway.example'],
    blockTimeMs: 3_600_000,
  })
  const url = `ws://127.0.0.1:${new URL(network.gatewayUrl).port}`
  const { privateKey } = developer(network, 2)
  const isOnline = () => network.gateway.minersOnline().length === 1
  for (const host of ['203.0.113.9', '198.51.100.77']) {
    const miner = await rawMiner(url, { privateKey, host })
    miner.hail()
    await expect.poll(miner.isOpen).toBe(false)
  }
  for (const host of ['198.51.100.7', 'gateway.example', 'localhost', ...ownAddresses]) {
    const miner = await rawMiner(url, { privateKey, host })
    miner.hail()
    await expect.poll(isOnline).toBe(true)
    miner.close()
    await expect.poll(isOnline).toBe(false)
  }
})

test('public: a hail for another server does not send away a miner whose hail is signed', async () => {
  await using network = await startLocalNetwork({ host: '0.0.0.0', blockTimeMs: 3_600_000 })
  const url = `ws://127.0.0.1:${new URL(network.gatewayUrl).port}`
  const { privateKey } = developer(network, 2)
  const owner = await rawMiner(url, { privateKey })
  owner.hail()
  await expect.poll(() => network.gateway.minersOnline().length).toBe(1)
  // The signature is the miner's own, and whoever got it writes the name that it was made for.
  const replayed = await rawMiner(url, { privateKey, host: '203.0.113.9' })
  replayed.hail()
  await expect.poll(replayed.isOpen).toBe(false)
  expect(replayed.frames).toEqual([{ ver: 4n, err: 'ERR_DUPLICATE_KEY' }])
  expect(owner.isOpen()).toBe(true)
  owner.close()
})

test('public: either form is taken, and nobody looks at the signature of a hail', async () => {
  await using network = await start(undefined)
  expect(await post(network, highSOf)).toMatchObject({ err: 0n })
  expect(await publishTurned(network)).toBe('accepted')
  const miner = await rawMiner(network.gatewayUrl, { privateKey: developer(network, 3).privateKey })
  miner.hail({ sign: '00' })
  const isOnline = () => network.gateway.minersOnline().some(({ address }) => address === miner.address)
  await expect.poll(isOnline).toBe(true)
  miner.close()
})

test('an unknown mode is refused', async () => {
  await expect(start('lenient' as never)).rejects.toMatchObject({
    code: 'CONFIGURATION_INVALID',
    facts: { path: 'mode' },
  })
})
