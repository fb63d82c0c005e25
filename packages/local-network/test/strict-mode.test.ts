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
