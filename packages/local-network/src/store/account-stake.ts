import type { AccountStake } from './chain-store.ts'

const sum = (units: readonly bigint[]): bigint => units.reduce((total, amount) => total + amount, 0n)

/**
 * Sums up what an account has at stake pools.
 *
 * @param leaving undelegated coins that were not claimed yet
 * @param lockedAbove height above which undelegated coins are still locked
 */
export function stakeOf(
  delegations: readonly { readonly amount: bigint; readonly reward: bigint }[],
  leaving: readonly { readonly amount: bigint; readonly height: number }[],
  lockedAbove: number,
): AccountStake {
  const amounts = (isLocked: boolean): readonly bigint[] =>
    leaving.filter(({ height }) => height > lockedAbove === isLocked).map(({ amount }) => amount)
  return {
    delegated: sum(delegations.map(({ amount }) => amount)),
    stakingReward: sum(delegations.map(({ reward }) => reward)),
    inTransit: sum(amounts(true)),
    undelegated: sum(amounts(false)),
  }
}
