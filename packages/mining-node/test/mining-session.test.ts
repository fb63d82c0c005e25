import { walletFromPrivateKey } from '@hailstone/client'
import { sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createMiningSession } from '../src/node.ts'
import type { SessionEvent } from '../src/session/effect.ts'
import { makeBeacon } from './beacons.ts'
import { startScriptedGateway } from './scripted-gateway.ts'
import { until } from './until.ts'

const wallet = walletFromPrivateKey(sha256Hex('miner'))

it('hails, publishes, stops, and begins anew without signing anything twice', async () => {
  await using gateway = await startScriptedGateway()
  const events: SessionEvent['type'][] = []
  await using session = createMiningSession({
    wallet,
    gatewayUrl: gateway.url,
    onEvent: ({ type }) => events.push(type),
  })
  expect(session.state).toEqual({ status: 'idle' })
  const beacon = makeBeacon({ publisher: wallet.address, nonce: 1 })
  session.start()
  session.start()
  const first = await gateway.hailed(1)
  first.send(beacon.text)
  await until(() => session.state.status === 'mining', 'it mines')
  await session.stop()
  await session.stop()
  expect(session.state).toEqual({ status: 'stopped', reason: 'requested' })

  session.start()
  const second = await gateway.hailed(2)
  second.send(beacon.text)
  await until(() => events.includes('beaconRefused'), 'what was signed before is not signed again')
  expect(gateway.publications()).toHaveLength(1)
  expect(events.filter((type) => type === 'published')).toHaveLength(1)
  expect(session.address).toBe(wallet.address)
})

it('refuses a bad code, address or token when it is made, and a bad gateway when it starts', () => {
  expect(() => createMiningSession({ wallet, referralAgent: 'ref_no' })).toThrow(
    expect.objectContaining({ code: 'REFERRAL_CODE_INVALID' }),
  )
  expect(() => createMiningSession({ wallet, tokenId: 'ENQ' })).toThrow(
    expect.objectContaining({ code: 'TOKEN_ID_MALFORMED' }),
  )
  for (const gatewayUrl of [undefined, 'http://127.0.0.1:1', 'ws://name:word@127.0.0.1:1']) {
    const session = createMiningSession({ wallet, gatewayUrl })
    expect(() => session.start(), gatewayUrl).toThrow(
      expect.objectContaining({ code: 'CONFIGURATION_INVALID' }),
    )
    expect(session.state).toEqual({ status: 'idle' })
  }
})
