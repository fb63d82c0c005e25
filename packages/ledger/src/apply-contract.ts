import {
  type ContractOrder,
  type ContractReading,
  type Hash,
  MAX_AMOUNT,
  type Token,
  type TokenId,
  toAmount,
} from '@hailstone/protocol'
import type { LedgerDraft } from './ledger-draft.ts'
import type { LedgerTransaction } from './ledger-macroblock.ts'
import type { LedgerParameters } from './ledger-parameters.ts'

/** Reason why a contract is refused before any coin moves (PROTOCOL 2.9, step 2). */
export type ContractRefusal =
  | 'contractUndecodable'
  | 'contractMalformed'
  | 'contractNotSentToGenesis'
  | 'contractNotPaidInNativeToken'
  | 'amountBelowContractPrice'

/** Reason why a paid contract cannot be carried out. */
export type ContractFailure =
  | 'contractTokenUnknown'
  | 'senderNotTokenOwner'
  | 'tokenNotReissuable'
  | 'supplyAboveLimit'
  | 'balanceBelowContractAmount'
  | 'stakePoolUnknown'
  | 'delegationTooSmall'
  | 'undelegationUnknown'
  | 'undelegationLocked'
  | 'noStakingReward'

/** The contract of a transaction as far as it alone tells: nothing of the ledger is looked at. */
export function refuseContract(
  transaction: LedgerTransaction,
  reading: Exclude<ContractReading, { readonly kind: 'memo' }>,
  context: { readonly parameters: LedgerParameters; readonly nativeFee: bigint },
): ContractRefusal | null {
  const { parameters, nativeFee } = context
  if (reading.kind === 'undecodable') return 'contractUndecodable'
  if (reading.kind === 'refused' || reading.order === null) return 'contractMalformed'
  const price = parameters.contractPrices?.[reading.order.type] ?? 0n
  if (transaction.amount - nativeFee < price) return 'amountBelowContractPrice'
  if (transaction.to !== parameters.genesis) return 'contractNotSentToGenesis'
  if (transaction.tokenId !== parameters.nativeTokenId) return 'contractNotPaidInNativeToken'
  return null
}

export type ContractContext = {
  readonly draft: LedgerDraft
  readonly transaction: LedgerTransaction
  /** Of the macroblock that holds the transaction. */
  readonly height: number
  readonly parameters: LedgerParameters
  /** Called with a claimed staking reward, which gets a record of its own. */
  readonly claimed: (reward: bigint) => void
}

type OrderOf<T extends ContractOrder['type']> = Extract<ContractOrder, { readonly type: T }>

function createToken({ draft, transaction }: ContractContext, order: OrderOf<'create_token'>): null {
  // The new token is named after the transaction that creates it.
  const id = transaction.hash as string as TokenId
  draft.putToken({ ...order.token, id, owner: transaction.from })
  draft.credit(transaction.from, id, order.token.totalSupply)
  return null
}

function ownReissuable(context: ContractContext, tokenId: string): Token | ContractFailure {
  const token = context.draft.token(tokenId as TokenId)
  if (token === undefined) return 'contractTokenUnknown'
  if (token.owner !== context.transaction.from) return 'senderNotTokenOwner'
  return token.isReissuable ? token : 'tokenNotReissuable'
}

function mint(context: ContractContext, order: OrderOf<'mint' | 'burn'>): ContractFailure | null {
  const token = ownReissuable(context, order.tokenId)
  if (typeof token === 'string') return token
  const totalSupply = token.totalSupply + order.amount
  if (totalSupply > MAX_AMOUNT) return 'supplyAboveLimit'
  context.draft.credit(token.owner, token.id, order.amount)
  context.draft.putToken({ ...token, totalSupply: toAmount(totalSupply) })
  return null
}

function burn(context: ContractContext, order: OrderOf<'mint' | 'burn'>): ContractFailure | null {
  const token = ownReissuable(context, order.tokenId)
  if (typeof token === 'string') return token
  if (token.totalSupply < order.amount) return 'supplyAboveLimit'
  if (!context.draft.debit(token.owner, token.id, order.amount)) {
    return 'balanceBelowContractAmount'
  }
  context.draft.putToken({ ...token, totalSupply: toAmount(token.totalSupply - order.amount) })
  return null
}

function createStakePool({ draft, transaction }: ContractContext, order: OrderOf<'create_pos'>): null {
  draft.putStakePool({
    id: transaction.hash,
    owner: transaction.from,
    feeBps: order.feeBps,
    name: order.name,
  })
  return null
}

function delegate(
  context: ContractContext,
  order: OrderOf<'delegate' | 'undelegate'>,
): ContractFailure | null {
  const { draft, transaction, parameters } = context
  const poolId = order.poolId as Hash
  const delegator = transaction.from
  if (draft.stakePool(poolId) === undefined) return 'stakePoolUnknown'
  if (!draft.debit(delegator, parameters.nativeTokenId, order.amount)) {
    return 'balanceBelowContractAmount'
  }
  const present = draft.delegation(poolId, delegator) ?? { poolId, delegator, amount: 0n, reward: 0n }
  draft.putDelegation({ ...present, amount: present.amount + order.amount })
  return null
}

function undelegate(
  context: ContractContext,
  order: OrderOf<'delegate' | 'undelegate'>,
): ContractFailure | null {
  const { draft, transaction, height } = context
  const poolId = order.poolId as Hash
  if (draft.stakePool(poolId) === undefined) return 'stakePoolUnknown'
  const present = draft.delegation(poolId, transaction.from)
  if (present === undefined || present.amount < order.amount) return 'delegationTooSmall'
  draft.putDelegation({ ...present, amount: present.amount - order.amount })
  draft.putUndelegation({
    id: transaction.hash,
    poolId,
    delegator: transaction.from,
    amount: order.amount,
    height,
    isClaimed: false,
  })
  return null
}

function claimUndelegation(context: ContractContext, order: OrderOf<'transfer'>): ContractFailure | null {
  const { draft, transaction, height, parameters } = context
  const present = draft.undelegation(order.undelegationId as Hash)
  if (present === undefined || present.isClaimed || present.delegator !== transaction.from) {
    return 'undelegationUnknown'
  }
  if (height < present.height + (parameters.undelegationLockBlocks ?? 0)) return 'undelegationLocked'
  draft.putUndelegation({ ...present, isClaimed: true })
  draft.credit(present.delegator, parameters.nativeTokenId, present.amount)
  return null
}

function claimReward(context: ContractContext, order: OrderOf<'pos_reward'>): ContractFailure | null {
  const { draft, transaction, parameters } = context
  const poolId = order.poolId as Hash
  if (draft.stakePool(poolId) === undefined) return 'stakePoolUnknown'
  const present = draft.delegation(poolId, transaction.from)
  if (present === undefined || present.reward === 0n) return 'noStakingReward'
  draft.putDelegation({ ...present, reward: 0n })
  draft.credit(present.delegator, parameters.nativeTokenId, present.reward)
  context.claimed(present.reward)
  return null
}

/**
 * Carries out a contract after its transfer, on the same working copy (PROTOCOL 7.6): the sender must be able to
 * pay the amount and the contract.
 */
export function applyContract(context: ContractContext, order: ContractOrder): ContractFailure | null {
  switch (order.type) {
    case 'create_token':
      return createToken(context, order)
    case 'mint':
      return mint(context, order)
    case 'burn':
      return burn(context, order)
    case 'create_pos':
      return createStakePool(context, order)
    case 'delegate':
      return delegate(context, order)
    case 'undelegate':
      return undelegate(context, order)
    case 'transfer':
      return claimUndelegation(context, order)
    case 'pos_reward':
      return claimReward(context, order)
  }
}
