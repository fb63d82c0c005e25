import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, parseTokenId, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { goodBrand, goodSource } from '../../test/good-brand.ts'
import { checkBrand } from '../checks/check-brand.ts'
import { createToken, isOwnNetwork } from './create-token.ts'

let network: LocalNetwork
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'token wishes', blockTimeMs: 3_600_000, control: true })
})
afterAll(() => network?.stop())

const wish = {
  ...{ symbol: 'KELP', name: 'Kelp of ours', decimals: 4 },
  ...{ supply: '1000', maxSupply: '50000', blockReward: '0.5', minimumStake: '10' },
}

function brandAt(preset: 'devnet' | 'custom', api = network.apiUrl) {
  const flags = { network: { preset, api, poa: [network.gatewayUrl] } }
  const { brand } = checkBrand({ source: { ...goodSource, config: goodBrand }, environment: 'dev', flags })
  if (brand === null) throw new Error('not resolved')
  return brand
}

const made = {
  symbol: 'KELP',
  caption: 'Kelp of ours',
  decimals: 4,
  totalSupply: 10_000_000n,
  isMineable: true,
}
const rules = { maxSupply: 500_000_000n, blockReward: 5_000n, minimumStake: 100_000n, referralShareBps: 1000 }

it('creates a token at once on a network of this machine, and its faucet gives the stake', async () => {
  const creation = await createToken(brandAt('devnet'), wish)
  if (creation.kind !== 'created') throw new Error('it is a network of this machine')
  await using client = createClient({ network: network.network })
  const { tokenId } = creation
  expect(await client.getToken({ tokenId })).toMatchObject({ ...made, ...rules })
  const [{ address }] = network.accounts.developers
  expect(await client.requestTestCoins({ address, tokenId })).toBe(true)
})

it('signs nothing for any other network: it explains the payment, which creates exactly this token', async () => {
  const before = network.height()
  const creation = await createToken(brandAt('custom'), wish)
  if (creation.kind !== 'payment') throw new Error('it is no network of this machine')
  expect(network.height()).toBe(before)
  const { to, amount, data, coins, symbol, lines } = creation.payment
  expect([coins, symbol]).toEqual(['1000.1', 'DEV'])
  expect(lines.join('\n')).toMatch(
    /1000\.1 DEV.*1000 are the price[\s\S]*KELP[\s\S]*1000 KELP[\s\S]*0\.5 KELP[\s\S]*50000 KELP[\s\S]*10 KELP/,
  )
  await using client = createClient({ network: network.network })
  const [{ privateKey }] = network.accounts.developers
  const wallet = walletFromPrivateKey(privateKey)
  const { hash } = await client.sendTransaction({ wallet, to, amount, contract: data })
  await network.mineUntil(client.waitForTransaction({ hash, pollMs: 20 }))
  expect(await client.getToken({ tokenId: parseTokenId(hash) })).toMatchObject({ ...made, ...rules })
})

it('says how the token is created where the network lets no program do it', async () => {
  await using closed = await startLocalNetwork({ seed: 'closed', blockTimeMs: 3_600_000 })
  await expect(createToken(brandAt('devnet', closed.apiUrl), wish)).rejects.toThrow(
    /lets no program create tokens.* --control, .*token create --as token-owner --mineable --symbol KELP --name 'Kelp of ours' --decimals 4 --supply 1000 /,
  )
  await expect(createToken(brandAt('devnet', 'http://127.0.0.1:9/api/v1'), wish)).rejects.toThrow(
    /does not answer/,
  )
})

it.each<[string, (response: ServerResponse) => void]>([
  ['ends before an answer', (response) => response.destroy()],
  ['ends in an answer', (response) => response.writeHead(200, { 'content-length': 99 }).end('{')],
  ['has no hash', (response) => response.end('{}')],
])('says where to look before an order is sent twice, if the connection %s', async (_, answer) => {
  const mute = createServer((request, response) => void request.resume().on('end', () => answer(response)))
  mute.listen(0, '127.0.0.1')
  await once(mute, 'listening')
  onTestFinished(() => void mute.close())
  const { port } = mute.address() as AddressInfo
  await expect(createToken(brandAt('devnet', `http://127.0.0.1:${port}/api/v1`), wish)).rejects.toThrow(
    `the token may be there. Look for it among the tokens of http://127.0.0.1:${port}/`,
  )
})

it.each([
  ['symbol', { symbol: 'kelp' }],
  ['a name that no transaction can carry', { name: "Kelp's own" }],
  ['max supply', { maxSupply: '10' }],
  ['too precise', { supply: '0.00001' }],
])('sends nothing for what the network would refuse: %s', async (_, change) => {
  await expect(createToken(brandAt('devnet'), { ...wish, ...change })).rejects.toMatchObject({
    name: 'NodeError',
  })
})

it('takes only devnet on a loopback address for a network of this machine', () => {
  expect(isOwnNetwork(brandAt('devnet'))).toBe(true)
  expect(isOwnNetwork(brandAt('devnet', 'http://192.168.1.5:4410/api/v1'))).toBe(false)
  expect(isOwnNetwork(brandAt('custom'))).toBe(false)
})
