import { type Address, type ContractOrder, readContract, type TokenId } from '@hailstone/protocol'
import type { BalanceKey } from './held-balances.ts'
import type { LedgerMacroblock, LedgerTransaction } from './ledger-macroblock.ts'
import type { LedgerParameters } from './ledger-parameters.ts'
import type { LedgerView } from './ledger-view.ts'

type TouchedOf = {
  readonly ledger: Pick<LedgerView, 'token' | 'stakePool'>
  readonly parameters: LedgerParameters
}

/** The token whose balance of the sender a contract changes; undefined for the native one. */
function tokenOfOrder(order: ContractOrder | null, { hash }: LedgerTransaction): TokenId | undefined {
  if (order?.type === 'create_token') return hash as string as TokenId
  return order?.type === 'mint' || order?.type === 'burn' ? (order.tokenId as TokenId) : undefined
}

/** Returns the balances that the rules look at when a transaction is applied (PROTOCOL 2.9), some of them twice. */
export function balancesOfTransaction(
  transaction: LedgerTransaction,
  { ledger, parameters: { nativeTokenId } }: TouchedOf,
): readonly BalanceKey[] {
  const { from, to, tokenId } = transaction
  const reading = readContract(transaction.data)
  const ordered = tokenOfOrder(reading.kind === 'contract' ? reading.order : null, transaction)
  const owner = ledger.token(tokenId)?.owner
  return [
    { account: from, tokenId },
    { account: from, tokenId: nativeTokenId },
    { account: to, tokenId },
    ...(ordered === undefined ? [] : [{ account: from, tokenId: ordered }]),
    ...(owner === undefined
      ? []
      : [
          { account: owner, tokenId },
          { account: owner, tokenId: nativeTokenId },
        ]),
  ]
}

/**
 * Returns the balances that the rules look at when a macroblock is calculated, some of them twice. Tokens and stake
 * pools that the macroblock itself creates are not known to the ledger yet, so a few balances can be missing.
 */
export function balancesOfMacroblock(macroblock: LedgerMacroblock, of: TouchedOf): readonly BalanceKey[] {
  const { ledger, parameters } = of
  const native = (account: Address): BalanceKey => ({ account, tokenId: parameters.nativeTokenId })
  const ofMicroblocks = macroblock.microblocks.flatMap(
    ({ publisher, tokenId, referralAgent, transactions }) => [
      ...transactions.flatMap((transaction) => balancesOfTransaction(transaction, of)),
      ...[publisher, referralAgent, ledger.token(tokenId)?.owner].flatMap((account) =>
        account == null ? [] : [{ account, tokenId }],
      ),
    ],
  )
  const owners = macroblock.statBlocks.flatMap(({ publisher }) => ledger.stakePool(publisher)?.owner ?? [])
  return [...ofMicroblocks, ...[macroblock.keyBlock.publisher, parameters.genesis, ...owners].map(native)]
}
