// Types of the hooks. Compiled with the types of `npm test`, never run: a line after @ts-expect-error that compiles is
// an error.
import type { NodeError } from '@hailstone/protocol'
import type { Reading, useBalance, useMiner, useRewards, useSend } from '@hailstone/react'

/** True only for the same type, `any` and `unknown` told apart. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const isTrue = <T extends true>(value?: T): void => void value

function narrows(error: NodeError | undefined): void {
  switch (error?.code) {
    case 'HTTP_STATUS':
      isTrue<Same<typeof error.facts.status, number>>()
      // @ts-expect-error another code has this fact
      return void error.facts.timeoutMs
    case 'REQUEST_TIMEOUT':
      isTrue<Same<typeof error.facts.timeoutMs, number>>()
  }
}

export function everyHookGivesItsError(
  balance: ReturnType<typeof useBalance>,
  miner: ReturnType<typeof useMiner>,
  rewards: ReturnType<typeof useRewards>,
  { state }: ReturnType<typeof useSend>,
): void {
  if (balance.status === 'failed' || balance.status === 'stale') {
    narrows(balance.error)
    if (balance.code === 'HTTP_STATUS') return
    // @ts-expect-error no such code
    if (balance.code === 'HTTP_STATS') return
  }
  narrows(miner.lastError?.error)
  narrows(rewards.error)
  if (state.step === 'failed' && state.error.code === 'FEE_ABOVE_CAP')
    isTrue<Same<typeof state.error.facts.fee, bigint>>()
}

/** As programs wrote it before readings had an error. */
export const failed: Reading<number> = { status: 'failed', why: 'The network does not answer.' }
