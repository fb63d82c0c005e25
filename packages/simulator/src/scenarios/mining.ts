import type { Mutation } from '../mutation.ts'
import type { Run } from '../run/run.ts'
import { friend, miner, nativeTokenId } from '../world/accounts.ts'
import { createApiNodes } from '../world/api-nodes.ts'
import { type MiningEnvironment, playSessions } from './sessions.ts'

/**
 * Combined scenario: one program mines at faulty gateways and watches its account through faulty API nodes, while
 * others mine as well. Neither may disturb the other.
 */
export function mining(run: Run, mutation: Mutation): Promise<void> {
  const { chance } = run
  const everHeld = new Set<bigint>()
  const environment: MiningEnvironment = {
    publishers: () => (chance.is(0.8) ? [{ publisher: friend.address, agent: null }] : []),
    onClosed: ({ ledger }) => void everHeld.add(ledger.balance(miner.address, nativeTokenId) ?? 0n),
    nodesOf: (chain) =>
      createApiNodes({
        run,
        chain,
        post: () => ({ status: 404, text: '' }),
        inspect: ({ method, path, query = '' }) => {
          if (method === 'POST') run.violate('I1', `a miner posts to ${path}`)
          if (query.includes(miner.canary)) run.violate('I3', 'the key is in a request')
        },
      }),
    looksAt: (node, program) => {
      node.subscribe(() => {
        const { balance, publications } = node.snapshot()
        if (program.isOver()) return
        if (balance !== null && !everHeld.has(balance.amount))
          run.violate('I5', `a snapshot shows a balance of ${balance.amount} that never was`)
        if (publications.included > publications.published)
          run.violate('I5', `${publications.included} are included of ${publications.published}`)
      })
      let reported = -1
      node.on('rewarded', ({ index }) => {
        if (index <= reported) run.violate('I5', `reward ${index} is delivered after ${reported}`)
        reported = index
      })
      node.on('reverted', ({ index }) => {
        reported = index - 1
      })
    },
  }
  return playSessions(run, mutation, environment)
}
