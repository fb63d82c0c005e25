import type { Amount, Hash } from '@hailstone/protocol'
import type { MiningNode, Reward, WatchedBalance } from '../real.ts'
import type { Run } from '../run/run.ts'
import { miner, nativeTokenId } from '../world/accounts.ts'
import type { SimulatedChain } from '../world/simulated-chain.ts'

type Line = {
  readonly index: number
  readonly recordHash: Hash
  readonly amount: bigint
  readonly height: number
}

/** Records the events that a program got about its account and compares it with the chain (I5). */
export function createDeliveryLog(run: Run) {
  const reported: Reward[] = []
  const everHeld = new Set<bigint>()
  /**
   * The last notification. After a kill it may be repeated, since the program could not store that it received it.
   */
  let last: { readonly kind: 'rewarded' | 'reverted'; readonly reward: Reward } | null = null
  let mayRepeat = false
  let balance: bigint | null = null
  let balanceBefore: bigint | null = null
  let mayRepeatBalance = false
  let height = 0
  let isStale = false

  const name = ({ index, amount, recordHash }: Reward): string =>
    `${index} ${amount} ${recordHash.slice(0, 8)}`
  const isSame = (one: Reward | undefined, other: Reward): boolean =>
    one !== undefined &&
    one.index === other.index &&
    one.recordHash === other.recordHash &&
    one.amount === other.amount

  function isRepetition(kind: 'rewarded' | 'reverted', reward: Reward): boolean {
    const repeats = mayRepeat && last?.kind === kind && isSame(last.reward, reward)
    mayRepeat = false
    return repeats
  }

  function truth(chain: SimulatedChain): readonly Line[] {
    return chain.blocks.flatMap(({ records, keyBlock }) =>
      records
        .filter(({ account, type }) => account === miner.address && type !== 'iin' && type !== 'iout')
        .map(({ number, hash, value }) => ({
          index: number,
          recordHash: hash,
          amount: value,
          height: keyBlock.height,
        })),
    )
  }

  const isLineOf = (line: Line, reward: Reward | undefined): boolean =>
    reward?.index === line.index && reward.recordHash === line.recordHash && reward.amount === line.amount

  return {
    holds: (ledger: SimulatedChain['blocks'][number]['ledger']): void => {
      everHeld.add(ledger.balance(miner.address, nativeTokenId) ?? 0n)
    },
    begins: (): void => run.note('app', 'begins'),
    wasKilled: (): void => {
      mayRepeat = true
      mayRepeatBalance = true
    },
    rewarded: (reward: Reward): void => {
      run.note('app', `rewarded ${name(reward)} ${reward.role} at ${reward.height}`)
      if (isRepetition('rewarded', reward)) return
      const before = reported.at(-1)
      if (before !== undefined && reward.index <= before.index) {
        run.violate('I5', `reward ${name(reward)} is delivered after ${name(before)}`)
      }
      reported.push(reward)
      last = { kind: 'rewarded', reward }
    },
    reverted: (reward: Reward): void => {
      run.note('app', `reverted ${name(reward)}`)
      if (isRepetition('reverted', reward)) return
      const newest = reported.pop()
      if (!isSame(newest, reward)) {
        run.violate('I5', `${name(reward)} is taken back, the newest is ${newest ? name(newest) : 'none'}`)
      }
      last = { kind: 'reverted', reward }
    },
    balanceChanged: ({ amount, previous, isKnown }: WatchedBalance): void => {
      run.note('app', `balance ${amount}`)
      if (!everHeld.has(amount) || !isKnown) run.violate('I5', `a balance of ${amount} that never was`)
      const isExpected = previous === balance || (mayRepeatBalance && previous === balanceBefore)
      if (!isExpected) run.violate('I5', `the balance was ${balance} and is said to have been ${previous}`)
      if (amount === balance && !mayRepeatBalance)
        run.violate('I5', `the same balance is delivered twice: ${amount}`)
      mayRepeatBalance = false
      balanceBefore = previous as Amount | null
      balance = amount
    },
    heightChanged: (next: number, nextIsStale: boolean): void => {
      run.note('app', `height ${next}${nextIsStale ? ' stale' : ''}`)
      height = next
      isStale = nextIsStale
    },
    snapshot: (snapshot: ReturnType<MiningNode['snapshot']>): void => {
      const amount = snapshot.balance?.amount
      if (amount !== undefined && !everHeld.has(amount)) {
        run.violate('I5', `a snapshot shows a balance of ${amount} that never was`)
      }
    },
    isComplete: (chain: SimulatedChain): boolean => {
      const lines = truth(chain)
      const newest = lines.at(-1)
      const hasAll =
        reported.length === lines.length && (newest === undefined || isLineOf(newest, reported.at(-1)))
      const now = chain.ledger().balance(miner.address, nativeTokenId)
      return hasAll && balance === now && height === chain.height && !isStale
    },
    judge: (chain: SimulatedChain): void => {
      const lines = truth(chain)
      for (const [at, line] of lines.entries()) {
        const reward = reported[at]
        if (!isLineOf(line, reward)) {
          run.violate(
            'I5',
            `reward ${line.index} of ${line.amount} was delivered as ${reward ? name(reward) : 'none'}`,
          )
          break
        }
        // A node that fell behind during a reading may not know the block any more.
        if (reward?.height !== line.height && reward?.height !== null) {
          run.violate(
            'I5',
            `reward ${line.index} of height ${line.height} was delivered with height ${reward?.height}`,
          )
        }
      }
      if (reported.length !== lines.length) {
        run.violate('I5', `${reported.length} rewards were delivered of ${lines.length}`)
      }
      const now = chain.ledger().balance(miner.address, nativeTokenId) ?? null
      if (balance !== now) run.violate('I5', `the balance is ${now}, the last delivered ${balance}`)
      if (height !== chain.height || isStale) {
        run.violate('I5', `the height is ${chain.height}, delivered was ${height}${isStale ? ' stale' : ''}`)
      }
    },
  }
}
