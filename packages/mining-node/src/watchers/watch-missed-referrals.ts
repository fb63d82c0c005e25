import {
  type ClientCore,
  getMacroblockOutline,
  getMicroblockHeader,
  getRecordsOfHash,
  type MacroblockOutline,
} from '@hailstone/client'
import type { Address, Amount, Hash, MicroblockHeader, TokenId } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import { listenerReport, type OnError } from '../failure.ts'
import { onDemand } from '../repeat.ts'
import { followTip } from './chain-tip.ts'
import { isReferral } from './explain-reward.ts'
import { createNotThere } from './not-there.ts'
import { linkOf } from './read-chain.ts'
import { type PollOptions, type Watch, watchHandle } from './watch-handle.ts'

/** A microblock of somebody we invited that paid us nothing. */
export type MissedReferral = {
  /** Microblock that the miner signed. */
  readonly microblockHash: Hash
  /** Miner that named us as its agent. */
  readonly miner: Address
  /** Token that was mined. */
  readonly tokenId: TokenId
  /** Height of the macroblock. */
  readonly height: number
  /**
   * `stakeTooLow`: our balance in the token was below `referrer_stake`, and the token's owner got our half.
   * `noBalance`: we hold nothing in the token, and the owner got the miner's half as well.
   */
  readonly reason: 'stakeTooLow' | 'noBalance'
  /** Missed reward, in units of the token. */
  readonly amount: Amount
}

/** Parameters of {@link watchMissedReferrals}. */
export type WatchMissedReferralsParameters = PollOptions & {
  /** Asks the network; it is not closed with the watch. */
  readonly client: ClientCore
  /** The agent: 02 or 03 and 64 hex digits. */
  readonly address: string
  /** Called once for each microblock whose referral reward went elsewhere. */
  readonly onMissed: (missed: MissedReferral) => void
  /** Called with each failed reading; the watch goes on by itself. */
  readonly onError?: OnError | undefined
}

/** Function that starts a watch of missed referral rewards, as a program passes it in. */
export type WatchMissedReferrals = (
  parameters: WatchMissedReferralsParameters & { readonly address: Address },
) => Watch

/** Macroblocks that are remembered until they are looked through; others are asked for again. */
const OUTLINES_KEPT = 100

/**
 * Looks through every microblock for those that name this account as agent and did not pay it. Who was paid what
 * stands in the records of the microblock, and from that follows why (PROTOCOL 6.4); how much was missing does not:
 * balances of the past are not kept by the network. Asks for each microblock of the chain, so it is only worth it
 * for an agent. A block that a node does not have yet is asked for again, and holds up those after it. There is no cursor:
 * each watch begins with the newest macroblock, and what was missed while none ran is not told.
 */
export function watchMissedReferrals(parameters: WatchMissedReferralsParameters): Watch {
  const { client, address, pollIntervalMs } = parameters
  const onMissed = guarded(parameters.onMissed, listenerReport('missed referral', parameters))
  const notThere = createNotThere()
  const outlines = new Map<number, MacroblockOutline>()
  /** The lowest macroblock that was not looked through. */
  let next = Number.POSITIVE_INFINITY
  /** The newest that is calculated. */
  let reached = -1
  let partings = 0

  async function lookThrough(signal: AbortSignal): Promise<void> {
    for (let height = next; height <= reached && !signal.aborted; height = next) {
      const before = partings
      const missed = await missedAt(height, signal).catch(async (error: unknown) => {
        // It may have been read from a fork that was left.
        const now = await calculatedAt(height, signal).catch(() => undefined)
        if (now !== undefined && before === partings) outlines.set(height, now)
        throw error
      })
      if (signal.aborted) return
      // It was taken back meanwhile, or macroblocks below it were.
      if (before !== partings) continue
      next = height + 1
      outlines.delete(height)
      for (const one of missed) onMissed(one)
    }
  }

  /** Undefined where the node does not have it, or has that of a fork that was left. */
  async function calculatedAt(height: number, signal: AbortSignal): Promise<MacroblockOutline | undefined> {
    const { core, stands } = tip.place()
    const macroblock = await getMacroblockOutline(core, { height, signal })
    return macroblock?.isCalculated === true && stands(linkOf(macroblock)) !== false ? macroblock : undefined
  }

  async function missedAt(height: number, signal: AbortSignal): Promise<readonly MissedReferral[]> {
    const { core } = tip.place()
    const macroblock = outlines.get(height) ?? (await calculatedAt(height, signal))
    if (macroblock === undefined) {
      notThere(core, '/macroblock_by_height', `macroblock ${height}`)
      return []
    }
    const missed: MissedReferral[] = []
    for (const { hash } of macroblock.microblocks) {
      const found = await missedIn(hash, height, signal)
      if (found !== null) missed.push(found)
    }
    return missed
  }

  async function missedIn(hash: Hash, height: number, signal: AbortSignal): Promise<MissedReferral | null> {
    const { core } = tip.place()
    const header = await getMicroblockHeader(core, { hash, signal })
    if (header === undefined) notThere(core, '/mblock', hash)
    if (header?.referralAgent !== address) return null
    const records = await getRecordsOfHash(core, { hash, signal })
    // Its publisher was paid at least.
    if (records.length === 0) notThere(core, '/eindex_by_hash', hash)
    const referrals = records.filter(({ recordType }) => isReferral(recordType))
    return explain(header, referrals, { address, height })
  }

  const reading = onDemand({ ...parameters, task: lookThrough })
  const tip = followTip(client, {
    pollIntervalMs,
    onCalculated: (macroblock) => {
      const { height } = macroblock.keyBlock
      reached = height
      next = Math.min(next, height)
      outlines.set(height, macroblock)
      const [oldest] = outlines.keys()
      if (oldest !== undefined && outlines.size > OUTLINES_KEPT) outlines.delete(oldest)
      reading.trigger()
    },
    onReverted: ({ height }) => {
      partings++
      reached = Math.min(reached, height - 1)
      next = Math.min(next, height)
      outlines.delete(height)
    },
  })
  return watchHandle(tip.leave, reading.stop)
}

/** One record means that the owner got everything, two that the miner got a half and somebody else the other. */
function explain(
  header: MicroblockHeader,
  referrals: readonly { readonly account: string; readonly amount: Amount }[],
  { address, height }: { readonly address: string; readonly height: number },
): MissedReferral | null {
  const { hash: microblockHash, publisher: miner, tokenId } = header
  const isPaid = referrals.some(({ account }, at) => account === address && (miner !== address || at > 0))
  const last = referrals.at(-1)
  if (isPaid || last === undefined) return null
  const isHalved = referrals.length > 1
  const reason = isHalved ? 'stakeTooLow' : 'noBalance'
  const amount = (isHalved ? last.amount : last.amount / 2n) as Amount
  return { microblockHash, miner, tokenId, height, reason, amount }
}
