import { fileURLToPath } from 'node:url'
import { createClient, createWallet } from '@hailstone/client'
import { openTlsFront } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { parseAddress, parseAmount } from '../src/amounts/index.ts'
import * as browser from '../src/browser.ts'
import * as development from '../src/browser-development.ts'
import { waitFor } from '../src/events/index.ts'
import { createFleet } from '../src/fleet/index.ts'
import { createMiningNode, createMiningSession, openFileCursors } from '../src/node.ts'
import {
  createAccountWatch,
  createMemoryCursors,
  watchBalance,
  watchHeight,
  watchMissedReferrals,
  watchReferralRewards,
  watchRewards,
} from '../src/watch/index.ts'
import { startScriptedGateway } from './scripted-gateway.ts'

const gatewayUrl = 'ws://127.0.0.1:9'
const apiUrl = 'http://127.0.0.1:9/api/v1'
const wallet = createWallet()
const key = sha256Hex('a key that somebody pasted')
const client = createClient({ apiUrl })

const refusalOf = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('it was taken')
}

const { address } = wallet
const nothing = (): void => undefined

it.each([
  ['createMiningNode', 'apiURL', 'apiUrl', createMiningNode, { wallet, gatewayUrl }],
  ['createMiningSession', 'onEvents', 'onEvent', createMiningSession, { wallet, gatewayUrl }],
  ['createMiningNode of a page', 'apiURL', 'apiUrl', development.createMiningNode, { wallet, gatewayUrl }],
  [
    'createMiningSession of a page',
    'onEvnt',
    'onEvent',
    development.createMiningSession,
    { wallet, gatewayUrl },
  ],
  [
    'watchRewards of a page',
    'cursors',
    'cursor',
    development.watchRewards,
    { client, address, onReward: nothing },
  ],
  [
    'watchBalance of a page',
    'tokenID',
    'tokenId',
    development.watchBalance,
    { client, address, onChange: nothing },
  ],
  ['createFleet', 'gatewayUrls', 'gatewayUrl', createFleet, { wallets: [wallet], gatewayUrl }],
  ['createAccountWatch', 'followReferral', 'followReferrals', createAccountWatch, { client, address }],
  ['watchRewards', 'onUndeliverd', 'onUndelivered', watchRewards, { client, address, onReward: nothing }],
  ['watchReferralRewards', 'curser', 'cursor', watchReferralRewards, { client, address, onReward: nothing }],
  ['watchBalance', 'pollInterval', 'pollIntervalMs', watchBalance, { client, address, onChange: nothing }],
  ['watchHeight', 'onErorr', 'onError', watchHeight, { client, onChange: nothing }],
  ['watchMissedReferrals', 'onMiss', 'onMissed', watchMissedReferrals, { client, address }],
])('%s refuses %s and names %s', (_, found, meant, act: (given: never) => unknown, settings: object) => {
  const error = refusalOf(() => act({ ...settings, [found]: 1 } as never))
  expect(error).toMatchObject({ code: 'ARGUMENT_INVALID', facts: { found: `the text "${found}"` } })
  expect(String(error)).toMatch(new RegExp(`should be named ${meant};`))
})

it.each([
  ['development', true],
  ['production', false],
])('checks names in a page that is built for %s: %j', async (condition, isChecked) => {
  const { metafile } = await build({
    stdin: {
      contents: "export * from '@hailstone/mining-node'",
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@hailstone/source', condition],
    metafile: true,
    write: false,
  })
  expect(Object.keys(metafile.inputs).some((file) => file.endsWith('setting-names.ts'))).toBe(isChecked)
})

it('checks the settings of a session in a page that is built for development', () => {
  const error = refusalOf(() => development.createMiningSession({ wallet: key as never, gatewayUrl }))
  expect(error).toMatchObject({ code: 'ARGUMENT_INVALID', facts: { parameter: 'wallet' } })
  expect(String(error)).not.toContain(key)
})

it.each([
  ['no client', { address }, 'client'],
  ['a time as text', { client, address, blockTimeMs: '15s' }, 'blockTimeMs'],
  ['nothing', undefined, 'of a watch'],
])('refuses an account watch with %s', (_, parameters, parameter) => {
  const error = refusalOf(() => createAccountWatch(parameters as never))
  expect(error).toMatchObject({ code: 'ARGUMENT_INVALID', facts: { parameter } })
})

describe('what a program in JavaScript passes', () => {
  it.each([
    [
      'a private key for a wallet',
      () => createMiningNode({ wallet: key as never }),
      /wallet should be a wallet/,
    ],
    [
      'a private key for a wallet in a page',
      () => browser.createMiningNode({ wallet: key as never }),
      /wallet should be a wallet/,
    ],
    [
      'a misspelt setting',
      () => createMiningNode({ wallet, gatewayUrl, apiURL: apiUrl } as never),
      /of a miner should be named apiUrl; found the text "apiURL"/,
    ],
    ['no wallet', () => createMiningNode({ gatewayUrl } as never), /wallet should be .*found nothing/],
    ['no parameters', () => createMiningNode(undefined as never), /of a miner should be an object/],
    [
      'a private key for the wallet of a session',
      () => createMiningSession({ wallet: key as never }),
      /wallet/,
    ],
    [
      'another word for what to do about a second device',
      () => createMiningNode({ wallet, onDuplicateKey: 'fight' as never }),
      /onDuplicateKey should be 'stop' or 'wait'; found the text "fight"/,
    ],
    [
      'an address for the client of a node',
      () => createMiningNode({ wallet, client: apiUrl as never }),
      /client should be a client.*"http:/,
    ],
    [
      'a time as text',
      () => createMiningNode({ wallet, blockTimeMs: '15s' as never }),
      /blockTimeMs should be a number.*"15s"/,
    ],
    ['a file for cursors', () => createMiningNode({ wallet, cursors: 'file' as never }), /cursors should be/],
    ['no parameters of a fleet', () => createFleet(undefined as never), /of a fleet should be an object/],
    ['a key for a wallet of a fleet', () => createFleet({ wallets: [key as never], gatewayUrl }), /wallets/],
    ['a text for the keys of a fleet', () => createFleet({ keys: key, gatewayUrl }), /keys should be a list/],
    [
      'the name of an event for the listener of a fleet',
      () => createFleet({ wallets: [wallet], gatewayUrl }).subscribe('rewarded' as never),
      /listener should be a function/,
    ],
    [
      'a symbol for the token of a balance',
      () => watchBalance({ client, address: wallet.address, tokenId: 'HAIL' as never, onChange: () => 0 }),
      /^(?=.*token id).*"HAIL"/,
    ],
    [
      'no client',
      () => watchRewards({ address: wallet.address, onReward: () => 0 } as never),
      /client should be/,
    ],
    [
      'an address of another chain',
      () => watchRewards({ client, address: '0xabc' as never, onReward: () => 0 }),
      /An address is .*"0xabc"/,
    ],
    [
      'no listener',
      () => watchRewards({ client, address: wallet.address } as never),
      /onReward should be a function/,
    ],
    [
      'no listener of a balance',
      () => watchBalance({ client, address: wallet.address } as never),
      /onChange/,
    ],
    [
      'a cursor without a name',
      () =>
        watchRewards({
          client,
          address,
          cursor: { store: createMemoryCursors() } as never,
          onReward: nothing,
        }),
      /cursor\.name should be a text; found nothing/,
    ],
    [
      'a folder for the store of a cursor',
      () =>
        watchRewards({
          client,
          address,
          cursor: { store: '/cursors' as never, name: 'x' },
          onReward: nothing,
        }),
      /cursor\.store should be a store of cursors/,
    ],
    [
      'a text for the attempts of a listener, which no count would reach',
      () => watchRewards({ client, address, maxAttempts: 'three' as never, onReward: nothing }),
      /maxAttempts should be a number; found the text "three"/,
    ],
    [
      'a text for the place to begin at',
      () => watchRewards({ client, address, from: '5' as never, onReward: nothing }),
      /from should be a cursor of an earlier watch, -1 or 'now'; found the text "5"/,
    ],
    [
      'a path for the folder of cursors',
      () => openFileCursors('cursors' as never),
      /folder should be the path/,
    ],
    [
      'another name for the folder of cursors',
      () => openFileCursors({ path: 'cursors' } as never),
      /folder should be the path .*found nothing/,
    ],
    ['nothing for the folder of cursors', () => openFileCursors(undefined as never), /folder should be/],
    ['no listener of the height', () => watchHeight({ client } as never), /onChange should be a function/],
  ])('is refused at once, by its name: %s', (_, act, sentence) => {
    const error = refusalOf(act)
    expect(error).toMatchObject({
      code: expect.stringMatching(/^A|^TOKEN_ID/),
      message: expect.stringMatching(sentence),
    })
    expect(String(error)).not.toContain(key)
  })

  it.each([
    [
      'a misspelt time',
      { timeout: 1 },
      /of waitFor should be named where or timeoutMs or signal; found the text "timeout"/,
    ],
    [
      'a time as text',
      { timeoutMs: '1' },
      /timeoutMs should be a number of milliseconds; found the text "1"/,
    ],
  ])('does not wait for ever for an event: %s', async (_, options, sentence) => {
    const node = createMiningNode({ wallet, gatewayUrl })
    const waiting = waitFor(node, 'rewarded', options as never)
    await expect(waiting).rejects.toThrow(sentence)
  })

  it.each([
    ['reward', 'rewarded'],
    ['balance', 'balanceChanged'],
    ['refferalRewarded', 'referralRewarded'],
    ['height', 'heightChanged'],
    ['publish', 'published'],
    ['connect', 'connected'],
  ])('as the name of an event, %j, is refused with the nearest one', (name, nearest) => {
    const node = createMiningNode({ wallet, gatewayUrl })
    const inDevelopment = development.createMiningNode({ wallet, gatewayUrl })
    const watch = createAccountWatch({ address: wallet.address, client })
    for (const { on } of [node, inDevelopment, watch]) {
      const error = refusalOf(() => on(name as never, () => undefined))
      expect(error).toMatchObject({ code: 'ARGUMENT_INVALID', facts: { parameter: 'event' } })
      expect(String(error)).toContain(`'${nearest}'`)
    }
    expect(refusalOf(() => node.on('rewarded', undefined as never))).toMatchObject({
      facts: { parameter: 'listener', found: 'nothing' },
    })
  })

  it('a page that is delivered refuses the name of no event, and spares its users the nearest one', () => {
    const { on } = browser.createMiningNode({ wallet, gatewayUrl })
    expect(refusalOf(() => on('reward' as never, () => undefined))).toMatchObject({
      facts: { parameter: 'event', expected: 'the name of an event' },
    })
  })
})

it('leaves settings of the program alone that resemble none of a node', () => {
  const settings = { wallet, gatewayUrl, webhook: 'http://127.0.0.1/', port: 1, api: apiUrl }
  expect(createMiningNode(settings).address).toBe(wallet.address)
})

it('names how an authority of its own is known where a gateway has its certificate', async () => {
  await using gateway = await startScriptedGateway()
  const to = gateway.url.replace('ws:', 'http:')
  await using front = await openTlsFront({ to, certificate: 'selfSigned' })
  const gatewayUrl = front.url.replace('https:', 'wss:')
  await using node = createMiningNode({ wallet, gatewayUrl })
  const lost = new Promise<string>((resolve) => node.on('disconnected', ({ why }) => resolve(why)))
  await node.start()
  expect(await lost).toContain('NODE_EXTRA_CA_CERTS')
})

it('brings what reads amounts and addresses that people type', () => {
  expect(parseAmount('25.5', { decimals: 10 })).toBe(255_000_000_000n)
  expect(parseAddress(wallet.address)).toBe(wallet.address)
})
