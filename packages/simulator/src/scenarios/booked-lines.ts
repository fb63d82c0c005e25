import { isTransferRecord } from '@hailstone/ledger'
import type { Address, Hash, TokenId } from '@hailstone/protocol'
import type { Reward } from '../real.ts'
import { type ClosedBlock, EPOCH_SECONDS, type SimulatedChain } from '../world/simulated-chain.ts'

/** A reward as the ledger booked it. */
export type BookedLine = Pick<Reward, 'index' | 'recordType' | 'role' | 'amount' | 'recordHash'> & {
  readonly address: Address
  readonly tokenId: TokenId
  readonly height: number
  /** When its macroblock was calculated, in ms of the run; before the run below zero. */
  readonly bookedAtMs: number
  /** When its key block was opened, in whole seconds. */
  readonly openedAtMs: number
}

/** All rewards that were ever booked, also on forks that were left. */
export type BookedLines = {
  readonly closed: (block: ClosedBlock, atMs: number) => void
  readonly find: (key: string) => BookedLine | undefined
  /** Those of the chain as it is. */
  readonly ofChain: (chain: SimulatedChain) => ReadonlyMap<string, BookedLine>
}

/** One block pays an account at most once for each kind of record. */
export const keyOf = ({
  address,
  recordType,
  recordHash,
}: Pick<BookedLine, 'address' | 'recordType' | 'recordHash'>): string =>
  `${address} ${recordType} ${recordHash}`

function roleOf(
  type: string,
  account: string,
  of: { readonly publisher: Address; readonly referralAgent: Address | null } | undefined,
): Reward['role'] {
  if (type === 'im') return 'miner'
  if (type !== 'iref' || of === undefined) return 'other'
  if (of.publisher === account && of.referralAgent !== null) return 'referral'
  return of.referralAgent === account ? 'agent' : 'tokenOwner'
}

function linesOf({ records, microblocks, keyBlock }: ClosedBlock, bookedAtMs: number): readonly BookedLine[] {
  const byHash = new Map<Hash, (typeof microblocks)[number]>(microblocks.map((one) => [one.hash, one]))
  return records.flatMap(({ account, type, number: index, value, hash: recordHash }) => {
    const microblock = byHash.get(recordHash)
    if (isTransferRecord(type) || microblock === undefined) return []
    return {
      address: account as Address,
      index,
      recordType: type,
      role: roleOf(type, account, microblock),
      amount: value as Reward['amount'],
      recordHash,
      tokenId: microblock.tokenId,
      height: keyBlock.height,
      bookedAtMs,
      openedAtMs: (keyBlock.time - EPOCH_SECONDS) * 1_000,
    }
  })
}

export function createBookedLines(): BookedLines {
  const ofBlock = new Map<ClosedBlock, readonly BookedLine[]>()
  const all = new Map<string, BookedLine>()
  let newest: ClosedBlock | undefined
  let present: ReadonlyMap<string, BookedLine> = new Map()
  return {
    closed: (block, atMs) => {
      const lines = linesOf(block, atMs)
      ofBlock.set(block, lines)
      for (const line of lines) all.set(keyOf(line), line)
    },
    find: (key) => all.get(key),
    ofChain: ({ blocks }) => {
      if (blocks.at(-1) === newest) return present
      newest = blocks.at(-1)
      present = new Map(
        blocks.flatMap((block) => (ofBlock.get(block) ?? []).map((line) => [keyOf(line), line] as const)),
      )
      return present
    },
  }
}
