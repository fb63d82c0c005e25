import { createWallet } from '@hailstone/client'
import { expect, it, onTestFinished } from 'vitest'
import { createFleet } from '../src/fleet/index.ts'
import { createMiningNode, createMiningSession } from '../src/node.ts'
import type { OpenChannel } from '../src/session/channel.ts'
import { idleSession } from '../src/session/state.ts'
import { effectsOf, hailed, message, run, settings } from './session-samples.ts'

const wallet = createWallet()

/** Channels that stay closed, and the addresses that were asked for. */
function channels(): { readonly opened: string[]; readonly openChannel: OpenChannel } {
  const opened: string[] = []
  const nothing = (): void => undefined
  return {
    opened,
    openChannel: ({ url, handlers }) => {
      opened.push(url)
      const end = (): void => handlers.closed(1000)
      return { send: nothing, close: end, terminate: end }
    },
  }
}

const open = ['ws://gateway.example:3000', 'ws://192.168.1.2', 'ws://8.8.8.8:3000/path']
const fine = ['wss://gateway.example', 'ws://127.0.0.1:9', 'ws://localhost:9', 'ws://[::1]:9']

it.each(open)(
  'S-7: with requireEncryption nothing connects to %s, by node, session or fleet',
  async (url) => {
    const { opened, openChannel } = channels()
    const given = {
      wallet,
      gatewayUrls: ['wss://gateway.example', url],
      requireEncryption: true,
      openChannel,
    }
    const refusal = {
      code: 'CONFIGURATION_INVALID',
      facts: { path: 'gatewayUrl', found: new URL(url).origin, expected: expect.stringContaining('wss://') },
    }
    await expect(createMiningNode(given).start()).rejects.toMatchObject(refusal)
    expect(() => createMiningSession(given).start()).toThrow(expect.objectContaining(refusal))
    expect(() =>
      createFleet({ wallets: [wallet], gatewayUrl: given.gatewayUrls, requireEncryption: true }),
    ).toThrow(expect.objectContaining(refusal))
    expect(opened).toEqual([])
  },
)

it.each(fine)('S-7: with requireEncryption %s is taken', async (url) => {
  const { opened, openChannel } = channels()
  const node = createMiningNode({ wallet, gatewayUrl: url, requireEncryption: true, openChannel })
  onTestFinished(() => node.stop())
  await node.start()
  expect(opened).toHaveLength(1)
})

it('S-7: credentials are not repeated by the refusal', () => {
  const refused = () =>
    createMiningSession({
      wallet,
      gatewayUrl: 'ws://me:hunter2@gateway.example',
      requireEncryption: true,
    }).start()
  expect(refused).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hunter2') }))
})

it('S-7: with requireEncryption a gateway of this machine cannot lead to one that is not encrypted', () => {
  const peer = message({ kind: 'peer', host: '203.0.113.9', port: 3000 })
  const here = { ...settings, gatewayUrl: 'ws://127.0.0.1:4430/' }
  const openedBy = (requireEncryption: boolean) =>
    effectsOf(run([...hailed, peer], idleSession({ ...here, requireEncryption })).effects, 'open').map(
      ({ url }) => url,
    )
  expect(openedBy(false)).toEqual([here.gatewayUrl, 'ws://203.0.113.9:3000/'])
  expect(openedBy(true)).toEqual([here.gatewayUrl])
})

it('S-7: without it an address of the internet is a warning, one of this building is not', async () => {
  for (const [url, isWarned] of [
    ['ws://gateway.example:3000', true],
    ['ws://127.0.0.1:9', false],
    ['ws://192.168.1.2', false],
  ] as const) {
    const node = createMiningNode({ wallet, gatewayUrl: url, openChannel: channels().openChannel })
    await node.start()
    const codes = node.snapshot().warnings.map(({ code }) => code)
    expect(codes.includes('GATEWAY_NOT_ENCRYPTED'), url).toBe(isWarned)
    await node.close()
  }
})
