import type { BalanceKey, LedgerState } from '@hailstone/ledger'
import type { Address, KeyBlock, TokenId } from '@hailstone/protocol'
import { batched } from '../store/batched.ts'
import { within } from '../within.ts'
import { type BalanceSource, learnBalances } from './calculate-macroblock.ts'

/** Reads balances that are not in memory for whoever needs them outside of a macroblock. */
export type BalanceReader = {
  /**
   * Resolves to true once the balances are in memory, at once where they are; false if they cannot be read in time.
   *
   * @param waitMs longest wait, in ms. Whoever names one gives no time at all while the database has been silent for as
   * long, so that callers do not pile up. @default 5000
   */
  readonly whenHeld: (keys: readonly BalanceKey[], waitMs?: number) => boolean | Promise<boolean>
  /** Units; undefined where the account has no row, and while its row is being read. */
  readonly balance: (account: Address, tokenId: TokenId) => bigint | undefined
}

/** Pause between two attempts while a macroblock is stored or the database does not answer, in ms. */
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 250
const LONGEST_WAIT_MS = 5000
/** Balances that are asked for at a time. More are left for later: a database that is away makes them many. */
const MAX_ASKED = 100_000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** @param parameters.tip returns the open key block; null while the ledger may be another one than that before it */
export function createBalanceReader(parameters: {
  readonly ledger: LedgerState
  readonly store: BalanceSource
  readonly tip: () => KeyBlock | null
}): BalanceReader {
  const { ledger, store, tip } = parameters
  /** Whoever asks for a balance that somebody else asks for already waits for the same answer. */
  const asked = new Map<string, Promise<void>>()
  /** Set while balances are asked for and nothing is answered. */
  let silentSinceMs: number | null = null
  let readers = 0

  const learn = batched<BalanceKey, void>(async (keys) => {
    // The chain may have gone on since the statement before.
    const height = tip()?.height
    if (height === undefined) return []
    await learnBalances(ledger, { store, height, keys })
    silentSinceMs = null
    return []
  })

  function learnOnce(key: BalanceKey): Promise<void> {
    const name = `${key.account} ${key.tokenId}`
    const present = asked.get(name)
    if (present !== undefined) return present
    if (asked.size >= MAX_ASKED) return Promise.resolve()
    silentSinceMs ??= performance.now()
    const answer = learn(key).finally(() => {
      asked.delete(name)
    })
    asked.set(name, answer)
    return answer
  }

  const lackingOf = (keys: readonly BalanceKey[]): readonly BalanceKey[] =>
    keys.filter((key) => !ledger.holdsBalance(key))

  async function readUntil(endsAtMs: number, keys: readonly BalanceKey[]): Promise<boolean> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await Promise.allSettled(lackingOf(keys).map(learnOnce))
      if (lackingOf(keys).length === 0) return true
      if (performance.now() + pauseMs > endsAtMs) return false
      await pause(pauseMs)
    }
  }

  async function read(keys: readonly BalanceKey[]): Promise<boolean> {
    readers++
    const isHeld = await readUntil(performance.now() + LONGEST_WAIT_MS, keys)
    readers--
    // What was refused, or came with a macroblock, is no silence.
    if (readers === 0) silentSinceMs = null
    return isHeld
  }

  async function readWithin(keys: readonly BalanceKey[], waitMs: number | undefined): Promise<boolean> {
    const silentMs = silentSinceMs === null ? 0 : performance.now() - silentSinceMs
    const reading = read(keys)
    if (waitMs !== undefined && silentMs > waitMs) return false
    return within(waitMs ?? LONGEST_WAIT_MS, reading, () => false)
  }

  const whenHeld = (keys: readonly BalanceKey[], waitMs?: number): boolean | Promise<boolean> =>
    lackingOf(keys).length === 0 || readWithin(keys, waitMs)

  return {
    whenHeld,
    balance(account, tokenId) {
      if (whenHeld([{ account, tokenId }]) !== true) return undefined
      return ledger.balance(account, tokenId)
    },
  }
}
