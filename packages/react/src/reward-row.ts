import type { Address, Amount, Hash, RewardRole, TokenId } from '@hailstone/mining-node'
import { answered } from './answered.ts'
import type { ClientPort } from './mining-ports.ts'

/** One reward of one account in one token. */
export type RewardRow = {
  /** Running number among all records of the account: ascending, with gaps. */
  readonly index: number
  /** Record type on the wire: `im`, `iref`, … */
  readonly recordType: string
  /** What the account was paid for. */
  readonly role: RewardRole
  /** Units of the token. */
  readonly amount: Amount
  /** Hash in the history: of a microblock or of another kind of block. */
  readonly recordHash: Hash
  /** The microblock that was rewarded; null for rewards of another kind. */
  readonly microblockHash: Hash | null
  /** Account that mined that microblock; null for rewards of another kind. */
  readonly miner: Address | null
  /** Key block of the macroblock; null when the network does not say. */
  readonly keyBlockHash: Hash | null
  /**
   * Height of the macroblock; null for rewards of another kind, and where the network did not say. Absent in rows that are
   * not of a reader of this version.
   */
  readonly height?: number | null | undefined
  /** Time of the key block, Unix milliseconds. */
  readonly timeMs: number
}

const NO_MICROBLOCK = {
  role: 'other',
  keyBlockHash: null,
  microblockHash: null,
  miner: null,
  height: null,
} as const

type RewardPage = Awaited<ReturnType<ClientPort['getRewards']>>

/** A record of the reward history, before its token is known. */
export type RewardLine = RewardPage['records'][number]

const isOfMicroblock = ({ recordType }: RewardLine): boolean => recordType === 'im' || recordType === 'iref'

/** What a row shows of a microblock, which itself may have thousands of transactions. */
type BlockFacts = {
  readonly tokenId: TokenId
  readonly publisher: Address
  readonly referralAgent: Address | null
  readonly keyBlockHash: Hash
  readonly height: number | null
}

/** Microblocks whose facts are kept: pages overlap, and a failed one is read again. */
const FACTS_KEPT = 64
/** Lines whose microblocks are asked for at a time. */
const LINES_AT_A_TIME = 10
/** Answers in a row without a microblock: one address may lead to several nodes, some of them behind. */
const MAX_UNKNOWN = 3

export type RewardReaderParameters = {
  readonly client: ClientPort
  readonly address: Address
  readonly tokenId: TokenId
  readonly isNative: boolean
}

/**
 * Adds what microblocks say to history records and keeps those of one token. Records name only a ticker, which two tokens may
 * share; the microblock has the token id.
 *
 * @throws {Error} in the returned function: what the client throws, or that the network does not show a microblock
 */
export function createRewardReader(
  parameters: RewardReaderParameters,
): (lines: readonly RewardLine[]) => Promise<readonly RewardRow[]> {
  const complete = createLineReader(parameters)
  return async (lines) => (await complete(lines)).filter((row) => row !== null)
}

/** As {@link createRewardReader}, with null in place of each record of another token. */
export function createLineReader({
  client,
  address,
  tokenId,
  isNative,
}: RewardReaderParameters): (lines: readonly RewardLine[]) => Promise<readonly (RewardRow | null)[]> {
  const kept = new Map<Hash, BlockFacts>()

  /** A height is no reason to show no reward. */
  async function heightOf(hash: Hash): Promise<number | null> {
    const asked = client.getKeyBlockHeight?.({ hash })
    return (asked && (await answered(asked).catch(() => null))) ?? null
  }

  async function factsOf(hash: Hash): Promise<BlockFacts> {
    const known = kept.get(hash)
    if (known !== undefined) return known
    for (let attempt = 0; attempt < MAX_UNKNOWN; attempt++) {
      const header = (await answered(client.getMicroblock({ hash })))?.header
      if (header === undefined) continue
      const facts = {
        tokenId: header.tokenId,
        publisher: header.publisher,
        referralAgent: header.referralAgent,
        keyBlockHash: header.keyBlockHash,
        height: header.tokenId === tokenId ? await heightOf(header.keyBlockHash) : null,
      }
      kept.set(hash, facts)
      const [oldest] = kept.keys()
      if (oldest !== undefined && kept.size > FACTS_KEPT) kept.delete(oldest)
      return facts
    }
    throw new Error(`The network does not show the microblock ${hash}, which was rewarded.`)
  }

  async function rowOf(line: RewardLine): Promise<RewardRow | null> {
    const { index, recordType, amount, hash, time } = line
    const common = { index, recordType, amount, recordHash: hash, timeMs: time * 1000 }
    if (!isOfMicroblock(line)) return isNative ? { ...common, ...NO_MICROBLOCK } : null
    const facts = await factsOf(hash)
    if (facts.tokenId !== tokenId) return null
    const { keyBlockHash, height, publisher: miner } = facts
    const role = roleOf(line, facts, address)
    return { ...common, role, keyBlockHash, height, microblockHash: hash, miner }
  }

  return async (lines) => {
    const rows: (RewardRow | null)[] = []
    for (let at = 0; at < lines.length; at += LINES_AT_A_TIME)
      rows.push(...(await Promise.all(lines.slice(at, at + LINES_AT_A_TIME).map(rowOf))))
    return rows
  }
}

function roleOf({ recordType }: RewardLine, facts: BlockFacts, address: Address): RewardRole {
  if (recordType === 'im') return 'miner'
  if (facts.publisher === address && facts.referralAgent !== null) return 'referral'
  return facts.referralAgent === address ? 'agent' : 'tokenOwner'
}
