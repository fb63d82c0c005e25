import type { LedgerState } from '@hailstone/ledger'
import type { Address, KeyBlock, TokenId } from '@hailstone/protocol'
import type { AccountStake, ChainStore, CountedToken } from './chain-store.ts'

const sum = <Row>(rows: Iterable<Row>, unitsOf: (row: Row) => bigint): bigint => {
  let total = 0n
  for (const row of rows) total += unitsOf(row)
  return total
}

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

  function accountStake(account: string, height: number): AccountStake {
    const delegator = account.toLowerCase()
    const delegations = [...ledger.delegationsOf(delegator)]
    const leaving = [...ledger.undelegationsOf(delegator)].filter(({ isClaimed }) => !isClaimed)
    const isLocked = (one: { readonly height: number }): boolean => height < one.height + transferLockBlocks
    return {
      delegated: sum(delegations, ({ amount }) => amount),
      stakingReward: sum(delegations, ({ reward }) => reward),
      inTransit: sum(leaving.filter(isLocked), ({ amount }) => amount),
      undelegated: sum(
        leaving.filter((one) => !isLocked(one)),
        ({ amount }) => amount,
      ),
    }
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
    accountStake: async (account) => {
      const open = tip()
      return open === null ? store.accountStake(account) : accountStake(account, open.height)
    },
  }
}
