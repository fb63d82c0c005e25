import type { Address, ContractType, FeeShares, RewardRatio, TokenId } from '@hailstone/protocol'

/** Parameters that the network agreed on before its first block. */
export type LedgerParameters = {
  readonly nativeTokenId: TokenId
  /** Owns the native token, receives contracts, collects dust. */
  readonly genesis: Address
  readonly rewardRatio: RewardRatio
  readonly feeShares: FeeShares
  /** Native units that count as stake at most. Custom tokens have no cap. */
  readonly maximumNativeStake: bigint
  /**
   * Native units a contract costs on top of the fee.
   *
   * @default 0 for every contract
   */
  readonly contractPrices?: { readonly [T in ContractType]?: bigint | undefined } | undefined
  /**
   * Microblocks whose contracts are looked at before the first of their transfers. Decides the order of the
   * records, nothing else (PROTOCOL 2.9, 6.7).
   *
   * @default 10
   */
  readonly microblocksPerBatch?: number | undefined
  /**
   * Key blocks between undelegating and taking the coins out.
   *
   * @default 0
   */
  readonly undelegationLockBlocks?: number | undefined
  /**
   * Recipient of the proof-of-stake share of a macroblock without statblocks. `once`: the genesis account, as dust.
   * `twice` repeats the public software, which pays it and then counts it as unpaid (PROTOCOL 6.5); the sum of
   * balances then grows by more than the block reward.
   *
   * @default 'once'
   */
  readonly stakeShareWithoutStatBlocks?: 'once' | 'twice' | undefined
}
