import type { BalanceKey, LedgerState } from '@hailstone/ledger'
import type { Address, KeyBlock, TokenId } from '@hailstone/protocol'
import { type BalanceSource, learnBalances } from './calculate-macroblock.ts'

/** Reads balances that are not in memory for whoever needs them outside of a macroblock. */
export type BalanceReader = {
  /** Resolves to true once the balances are held, at once where they are; false if they cannot be read now. */
  readonly whenHeld: (keys: readonly BalanceKey[]) => boolean | Promise<boolean>
  /** Units; undefined where the account has no row, and while its row is being read. */
  readonly balance: (account: Address, tokenId: TokenId) => bigint | undefined
}

/** Rows of one statement at most. */
const MAX_KEYS = 5000
/** Between two attempts while a macroblock is stored or the database does not answer. */
const PAUSE_MS = 25
const MAX_ATTEMPTS = 200

type Waiting = {
  readonly keys: readonly BalanceKey[]
  readonly tell: (areHeld: boolean) => void
  attempts: number
}

export function createBalanceReader(parameters: {
  readonly ledger: LedgerState
  readonly store: BalanceSource
  /** The open key block; null while the ledger is another one than that before it. */
  readonly tip: () => KeyBlock | null
}): BalanceReader {
  const { ledger, store, tip } = parameters
  const waiting: Waiting[] = []
  let isReading = false

  const lackingOf = (keys: readonly BalanceKey[]): readonly BalanceKey[] =>
    keys.filter((key) => !ledger.holdsBalance(key))

  async function read(keys: readonly BalanceKey[]): Promise<void> {
    for (let at = 0; at < keys.length; at += MAX_KEYS) {
      // The chain may have gone on since the statement before.
      const height = tip()?.height
      if (height === undefined) return
      await learnBalances(ledger, { store, height, keys: keys.slice(at, at + MAX_KEYS) })
    }
  }

  function isAnswered(one: Waiting): boolean {
    const areHeld = lackingOf(one.keys).length === 0
    const isOver = areHeld || ++one.attempts >= MAX_ATTEMPTS
    if (isOver) one.tell(areHeld)
    return isOver
  }

  async function answerAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0)
      await read(batch.flatMap(({ keys }) => lackingOf(keys))).catch(() => {})
      const left = batch.filter((one) => !isAnswered(one))
      waiting.push(...left)
      if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    isReading = false
  }

  const whenHeld = (keys: readonly BalanceKey[]): boolean | Promise<boolean> => {
    if (lackingOf(keys).length === 0) return true
    return new Promise((tell) => {
      waiting.push({ keys, tell, attempts: 0 })
      if (isReading) return
      isReading = true
      // Everything that is asked for in this turn comes into one read.
      setImmediate(() => void answerAll())
    })
  }

  return {
    whenHeld,
    balance(account, tokenId) {
      const key = { account, tokenId }
      if (whenHeld([key]) !== true) return undefined
      return ledger.balance(account, tokenId)
    },
  }
}
