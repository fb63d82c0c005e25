import type { Address, TokenId } from '@hailstone/mining-node'
import { expect, it } from 'vitest'
import { judgeAgent } from './judge-agent.ts'

type Answers = { readonly token?: object; readonly amount?: bigint; readonly isKnown?: boolean }

const token = { id: 'aa', referrerStake: 10n, decimals: 2, symbol: 'HAIL' }
const asked = { agent: '02ee' as Address, tokenId: 'aa' as TokenId }

/** Judges an agent by nodes that answer by turns. */
function judge(...nodes: readonly Answers[]) {
  let turn = 0
  const client = {
    getBalance: async () => ({ amount: 10n, isKnown: true, ...nodes[turn++ % nodes.length] }),
    getToken: async () => nodes[(turn - 1) % nodes.length]?.token,
    getNativeTokenId: async () => 'native',
    getReferrerStake: async () => 10n,
  }
  return judgeAgent(client as never, asked, 0)
}

it('an agent is fine by what a node knows, and not by what none says', async () => {
  expect(await judge({ token })).toEqual({ kind: 'fine' })
  expect(await judge({})).toEqual({ kind: 'unchecked' })
  expect(await judge({ token, isKnown: false })).toEqual({ kind: 'withoutToken' })
  expect(await judge({ token, amount: 9n })).toMatchObject({ kind: 'belowStake', have: 9n, need: 10n })
})

it('a node that is behind warns of no agent', async () => {
  for (const behind of [{}, { token, isKnown: false }, { token, amount: 9n }])
    expect(await judge(behind, behind, { token })).toEqual({ kind: 'fine' })
})

it('an agent is unchecked where the network does not answer', async () => {
  const getBalance = async () => Promise.reject(new Error('none'))
  expect(
    await judgeAgent({ getBalance, getToken: getBalance, getNativeTokenId: getBalance } as never, asked, 0),
  ).toEqual({
    kind: 'unchecked',
  })
})
