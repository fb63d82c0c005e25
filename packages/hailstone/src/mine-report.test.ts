import type { MiningNode } from '@hailstone/mining-node'
import { expect, it } from 'vitest'
import { type ReportLine, reportEvents } from './mine-report.ts'

/** A node whose events the test emits. */
function scriptedNode() {
  const listeners = new Map<string, (given: object) => void>()
  const balance = { isKnown: true, decimals: 10, symbol: 'DEV' }
  const node = {
    on: (event: string, listener: (given: object) => void) => void listeners.set(event, listener),
    snapshot: () => ({ tokenId: '00', balance }),
  } as unknown as MiningNode
  return { node, emit: (event: string, given: object) => listeners.get(event)?.(given) }
}

it('says of a reward whose block was lost that it is taken back, before the one that replaces it', () => {
  const { node, emit } = scriptedNode()
  const lines: ReportLine[] = []
  reportEvents(node, (line) => lines.push(line))
  const reward = { amount: 25n * 10n ** 9n, tokenId: '00', height: 7, role: 'miner' }
  emit('rewarded', reward)
  emit('reverted', reward)
  emit('rewarded', { ...reward, height: 8 })
  expect(lines.map(({ event, sentence, isForPeople }) => [event, sentence, isForPeople])).toEqual([
    ['rewarded', 'reward of 2.5 DEV as miner in block 7', true],
    [
      'reverted',
      'taken back, since its block is on the chain no more: reward of 2.5 DEV as miner in block 7',
      true,
    ],
    ['rewarded', 'reward of 2.5 DEV as miner in block 8', true],
  ])
  expect(lines[1]?.facts).toEqual(reward)
})
