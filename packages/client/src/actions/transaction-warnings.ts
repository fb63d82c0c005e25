import type { Address, Amount, TransactionFields } from '@hailstone/protocol'
import type { Balance } from './get-balance.ts'
import type { TokenInfo } from './get-token.ts'

/** Something a person should know before agreeing. The first four end in a rejected transaction. */
export type TransactionWarning =
  | { readonly kind: 'balanceTooLow'; readonly missing: bigint }
  | { readonly kind: 'feeExceedsAmount'; readonly fee: Amount }
  /** A token of fee type 2 takes its fee in the native token. */
  | { readonly kind: 'nativeBalanceTooLow'; readonly missing: bigint }
  /** The owner of a custom token pays the native fee of every transfer of it. */
  | { readonly kind: 'ownerCannotPayFee'; readonly owner: Address }
  | { readonly kind: 'nothingArrives' }
  /** More than one percent of the amount. */
  | { readonly kind: 'highFee'; readonly feeBps: bigint }
  | { readonly kind: 'sentToSelf' }
  /** Mining the token stops until the balance is back. */
  | { readonly kind: 'stakeBelowMinimum'; readonly minimumStake: Amount }

/** Native balances that a transfer of a custom token draws on. */
export type FeePayers = {
  readonly senderNative: Amount
  readonly ownerNative: Amount
  /** Native fee that the owner pays for every transfer of its token. */
  readonly ownerFee: Amount
}

const HIGH_FEE_BPS = 100n

/** Judges a prepared payment. Pure. */
export function transactionWarnings(prepared: {
  readonly fields: TransactionFields
  readonly token: TokenInfo
  readonly balance: Balance
  readonly fee: Amount
  readonly net: bigint
  readonly nativeFee: Amount
  readonly balanceAfter: bigint
  /** Null for the native token. */
  readonly payers: FeePayers | null
}): readonly TransactionWarning[] {
  const { fields, token, balance, fee, net, nativeFee, balanceAfter, payers } = prepared
  const { minimumStake } = token
  const feeBps = fields.amount === 0n ? 0n : (fee * 10_000n) / fields.amount
  const warnings: (TransactionWarning | false)[] = [
    balanceAfter < 0n && { kind: 'balanceTooLow', missing: -balanceAfter },
    net < 0n && { kind: 'feeExceedsAmount', fee },
    payers !== null &&
      payers.senderNative < nativeFee && {
        kind: 'nativeBalanceTooLow',
        missing: nativeFee - payers.senderNative,
      },
    payers !== null &&
      payers.ownerNative < payers.ownerFee && { kind: 'ownerCannotPayFee', owner: token.owner },
    net === 0n && { kind: 'nothingArrives' },
    net > 0n && feeBps > HIGH_FEE_BPS && { kind: 'highFee', feeBps },
    fields.to === fields.from && { kind: 'sentToSelf' },
    minimumStake !== null &&
      balance.amount >= minimumStake &&
      balanceAfter < minimumStake && { kind: 'stakeBelowMinimum', minimumStake },
  ]
  return warnings.filter((warning) => warning !== false)
}
