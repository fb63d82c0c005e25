import {
  type ClientCore,
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
import { type PollOptions, type Watch, watchHandle } from './watch-handle.ts'

/** A microblock of somebody we invited that paid us nothing. */
export type MissedReferral = {
  readonly microblockHash: Hash
  /** Miner that named us as its agent. */
  readonly miner: Address
  readonly tokenId: TokenId
  readonly height: number
  /**
   * `stakeTooLow`: our balance in the token was below `referrer_stake`, and the token's owner got our half.
   * `noBalance`: we hold nothing in the token, and the owner got the miner's half as well.
   */
  readonly reason: 'stakeTooLow' | 'noBalance'
  /** Missed reward, in units of the token. */
  readonly amount: Amount
}

export type WatchMissedReferralsParameters = PollOptions & {
  readonly client: ClientCore
  /** The agent. */
  readonly address: Address
  readonly onMissed: (missed: MissedReferral) => void
  readonly onError?: OnError | undefined
}

/** Function that starts a watch of missed referral rewards, as a program passes it in. */
export type WatchMissedReferrals = (parameters: WatchMissedReferralsParameters) => Watch

/** Macroblocks that wait to be looked through; older ones are passed over. */
const WAITING_LIMIT = 100

/**
 * Looks through every microblock for those that name this account as agent and did not pay it. Who was paid what
 * stands in the records of the microblock, and from that follows why (PROTOCOL 6.4); how much was missing does not:
 * balances of the past are not kept by the network. Asks for each microblock of the chain, so it is only worth it
 * for an agent.
 */
export function watchMissedReferrals(parameters: WatchMissedReferralsParameters): Watch {
  const { client, address, pollIntervalMs } = parameters
  const onMissed = guarded(parameters.onMissed, listenerReport('missed referral', parameters))
  const waiting: MacroblockOutline[] = []

  async function lookThrough(signal: AbortSignal): Promise<void> {
    for (let next = waiting[0]; next !== undefined && !signal.aborted; next = waiting[0]) {
      const missed: MissedReferral[] = []
      for (const { hash } of next.microblocks) {
        const found = await missedIn(hash, next.keyBlock.height, signal)
        if (found !== null) missed.push(found)
      }
      if (signal.aborted) return
      if (waiting[0] === next) waiting.shift()
      for (const one of missed) onMissed(one)
    }
  }

  async function missedIn(hash: Hash, height: number, signal: AbortSignal): Promise<MissedReferral | null> {
    const { core } = tip.place()
    const header = await getMicroblockHeader(core, { hash, signal })
    if (header === undefined || header.referralAgent !== address) return null
    const records = await getRecordsOfHash(core, { hash, signal })
    const referrals = records.filter(({ recordType }) => isReferral(recordType))
    return explain(header, referrals, { address, height })
  }

  const reading = onDemand({ ...parameters, task: lookThrough })
  const tip = followTip(client, {
    pollIntervalMs,
    onCalculated: (macroblock) => {
      waiting.push(macroblock)
      if (waiting.length > WAITING_LIMIT) waiting.shift()
      reading.trigger()
    },
    onReverted: ({ height }) => {
      const at = waiting.findIndex(({ keyBlock }) => keyBlock.height === height)
      if (at >= 0) waiting.splice(at, 1)
    },
  })
  return watchHandle(tip.leave, reading.stop)
}

/** One record means that the owner got everything, two that the miner got a half and somebody else the other. */
function explain(
  header: MicroblockHeader,
  referrals: readonly { readonly account: string; readonly amount: Amount }[],
  { address, height }: { readonly address: Address; readonly height: number },
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
