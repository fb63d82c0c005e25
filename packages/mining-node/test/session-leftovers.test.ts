import { walletFromPrivateKey } from '@hailstone/client'
import { DUPLICATE_KEY, formatRefusal, sha256Hex, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import type { OpenChannel } from '../src/session/channel.ts'
import { runSession } from '../src/session/run-session.ts'
import { virtualClock } from './fleet-virtual-world.ts'

it('a session that ends by itself leaves no timer and no listener behind, before anybody stops it', () => {
  const clock = virtualClock()
  let listeners = 0
  const openChannel: OpenChannel = ({ handlers }) => {
    clock.after(1, handlers.opened)
    clock.after(30_000, () => handlers.received(formatRefusal(DUPLICATE_KEY)))
    return { send: () => undefined, close: (code) => handlers.closed(code), terminate: () => undefined }
  }
  const session = runSession({
    settings: { gatewayUrl: 'ws://gateway.test:3000/', onDuplicateKey: 'stop' },
    signer: walletFromPrivateKey(sha256Hex('miner')),
    tokenId: ZERO_TOKEN_ID,
    openChannel,
    clock,
    random: () => 0.5,
    connectivity: () => {
      listeners++
      return () => void listeners--
    },
    onEvent: () => undefined,
  })
  clock.advance(20_000)
  expect(listeners).toBe(1)
  // Said again two minutes later.
  clock.advance(300_000)
  expect(session.state()).toMatchObject({ status: 'stopped', reason: 'duplicateKey' })
  expect(clock.nextAt()).toBeUndefined()
  expect(listeners).toBe(0)
})
