import type { LedgerState } from '@hailstone/ledger'
import type { Address, KeyBlock, TokenId } from '@hailstone/protocol'
import { stakeOf } from './account-stake.ts'
import type { ChainStore, CountedToken } from './chain-store.ts'

/**
 * A store whose newest state is answered from memory as long as this process is known to hold it, and else, question
 * by question, by the database: never older than the newest stored macroblock.
 *
 * @param parameters.tip the open key block; null while the database may know of a newer one
 */
export function createLiveStore(parameters: {
  readonly store: ChainStore
  readonly ledger: LedgerState
  /** Returns the open key block; null before there is one. */
  readonly tip: () => KeyBlock | null
  /** Macroblocks for which undelegated coins are locked. */
  readonly transferLockBlocks: number
}): ChainStore {
  const { store, ledger, tip, transferLockBlocks } = parameters
  /** Tokens as they are at a tip; their counts are in the database alone. */
  let known: { readonly tip: KeyBlock; readonly tokens: Map<string, CountedToken> } | null = null

  async function token(tokenId: string): Promise<CountedToken | undefined> {
    const before = tip()
    if (before === null) return store.token(tokenId)
    const id = tokenId.toLowerCase()
    if (known?.tip !== before) known = { tip: before, tokens: new Map() }
    const held = known.tokens.get(id)
    if (held !== undefined || ledger.token(id as TokenId) === undefined) return held
    const read = await store.token(id)
    if (read !== undefined && known.tip === before && tip() === before) known.tokens.set(id, read)
    return read
  }

  return {
    ...store,
    token,
    tail: async () => tip() ?? store.tail(),
    async balance(account, tokenId) {
      const key = { account: account.toLowerCase() as Address, tokenId: tokenId.toLowerCase() as TokenId }
      if (tip() === null || !ledger.holdsBalance(key)) return store.balance(account, tokenId)
      return ledger.balance(key.account, key.tokenId)
    },
    async accountStake(account) {
      const open = tip()
      if (open === null) return store.accountStake(account)
      const delegator = account.toLowerCase()
      const leaving = [...ledger.undelegationsOf(delegator)].filter(({ isClaimed }) => !isClaimed)
      return stakeOf([...ledger.delegationsOf(delegator)], leaving, open.height - transferLockBlocks)
    },
  }
}
