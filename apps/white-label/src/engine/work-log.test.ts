import type { MiningNode } from '@hailstone/mining-node'
import { expect, it } from 'vitest'
import { createWorkLog, logNode } from './work-log.ts'

type Listener = (fact: object) => void

/** The part of a node that the log uses. */
function fakeNode() {
  const listeners = new Map<string, Listener>()
  const node = {
    snapshot: () => ({ tokenId: 'token' }),
    on: (name: string, listener: Listener) => listeners.set(name, listener),
  }
  return {
    node: node as unknown as MiningNode,
    say: (name: string, fact: object) => listeners.get(name)?.(fact),
  }
}

it('writes a reward down once, however often the node reads of it', () => {
  const log = createWorkLog({ kept: [], onChange: () => undefined })
  const { node, say } = fakeNode()
  logNode(node, log, null)
  const reward = { recordType: 'im', recordHash: 'aa', amount: 10n, height: 1, tokenId: 'token' }
  say('rewarded', reward)
  say('rewarded', { ...reward, recordHash: 'bb' })
  say('rewarded', reward)
  say('referralRewarded', { ...reward, recordType: 'iref' })
  expect(log.entries().map((entry) => entry.kind === 'rewarded' && entry.reward)).toEqual([
    'iref aa',
    'im bb',
    'im aa',
  ])
})
