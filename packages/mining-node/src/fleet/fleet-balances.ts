import { type Client, getBalance } from '@hailstone/client'
import type { Address, Amount, NodeError, TokenId } from '@hailstone/protocol'
import { onDemand } from '../repeat.ts'
import { type HeldBalance, isDisputed, NOTHING_HELD, readBalance } from '../watchers/balance-claim.ts'
import { followTip } from '../watchers/chain-tip.ts'
import { momentOf } from '../watchers/moment.ts'
import type { WatchedBalance } from '../watchers/watch-balance.ts'
import { type Watch, watchHandle } from '../watchers/watch-handle.ts'

/**
 * State of an account of a large fleet before its balance was read: as if the network had said that it has none. An answer
 * that says the same then emits nothing and is not repeated. A smaller fleet repeats it, because a node that is starting
 * answers like that about every account.
 */
const UNREAD: HeldBalance = { ...NOTHING_HELD, last: { amount: 0n as Amount, isKnown: false } }

/** Balances that are read in turn at every second macroblock, and at the beginning. */
export const READ_IN_TURN = 200

type FleetBalances = Watch & {
  /** There is reason to read this one now. */
  readonly readNow: (account: Address) => void
  /**
   * All accounts are there: their balances are read in turn from now on.
   *
   * @param skipped how many of the first were asked for already
   */
  readonly begin: (skipped: number) => void
}

/**
 * Reads the balances of all accounts of a fleet, one after the other: those that earned something first, the others in
 * turn, 200 at every second macroblock. Ten thousand are read every twenty-five minutes with blocks of 15 s. What a node
 * that is behind may have answered is asked again, as `watchBalance` does.
 */
export function followFleetBalances(parameters: {
  readonly client: Client
  readonly pollIntervalMs: number | undefined
  readonly tokenId: TokenId
  readonly accounts: () => Iterable<Address>
  readonly size: () => number
  readonly onRead: (account: Address, balance: Omit<WatchedBalance, 'previous'>) => void
  readonly onError: (error: NodeError) => void
}): FleetBalances {
  const { client, pollIntervalMs, tokenId, accounts, size, onRead, onError } = parameters
  const held = new Map<Address, HeldBalance>()
  const urgent = new Set<Address>()
  /** Accounts of which two nodes said different things. */
  const disputed = new Set<Address>()
  let turn: Iterator<Address> | null = null
  /** Number of accounts still to be read in this round. */
  let left = 0
  let hasBegun = false
  let macroblocks = 0

  const unread = (): HeldBalance => (size() > READ_IN_TURN ? UNREAD : NOTHING_HELD)

  function nextOne(): Address | undefined {
    const [first] = urgent
    if (first !== undefined) return first
    if (left === 0) return undefined
    left--
    turn ??= accounts()[Symbol.iterator]()
    let next = turn.next()
    if (next.done === true) {
      turn = accounts()[Symbol.iterator]()
      next = turn.next()
    }
    if (next.done !== true) urgent.add(next.value)
    return next.value
  }

  async function read(signal: AbortSignal): Promise<void> {
    for (let address = nextOne(); address !== undefined; address = nextOne()) {
      const account = address
      const { core, at, stamp } = tip.place()
      urgent.delete(address)
      try {
        const ask = () => getBalance(core, { address: account, tokenId, signal })
        const { balance, ...found } = await readBalance(
          held.get(address) ?? unread(),
          momentOf(core, at),
          ask,
        )
        if (signal.aborted) return
        held.set(address, found.held)
        if (isDisputed(found.held, at?.height ?? 0)) disputed.add(address)
        else disputed.delete(address)
        if (balance !== null) onRead(address, { ...balance, ...stamp() })
      } catch (error) {
        urgent.add(address)
        throw error
      }
    }
  }

  function readInTurn(): void {
    if (!hasBegun) return
    left = Math.min(READ_IN_TURN, size())
    reading.trigger()
  }

  const reading = onDemand({ client, pollIntervalMs, onError, task: read })
  const tip = followTip(client, {
    pollIntervalMs,
    onCalculated: () => {
      for (const address of disputed) urgent.add(address)
      if (disputed.size > 0) reading.trigger()
      if (++macroblocks % 2 === 0) readInTurn()
    },
  })
  return {
    ...watchHandle(tip.leave, reading.stop),
    readNow: (account) => {
      urgent.add(account)
      reading.trigger()
    },
    begin: (skipped) => {
      hasBegun = true
      turn = accounts()[Symbol.iterator]()
      for (let at = 0; at < skipped; at++) turn.next()
      left = Math.min(READ_IN_TURN, size() - skipped)
      reading.trigger()
    },
  }
}
