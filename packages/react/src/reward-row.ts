import type { Address, Amount, Hash, RewardRole, TokenId } from '@hailstone/mining-node'
import type { ClientPort } from './mining-ports.ts'

/** One reward of one account in one token. */
export type RewardRow = {
  /** Running number among all records of the account: ascending, with gaps. */
  readonly index: number
  /** Record type on the wire: `im`, `iref`, … */
  readonly recordType: string
  readonly role: RewardRole
  /** Units of the token. */
  readonly amount: Amount
  /** Hash in the history: of a microblock or of another kind of block. */
  readonly recordHash: Hash
  /** The microblock that was rewarded; null for rewards of another kind. */
  readonly microblockHash: Hash | null
  /** Account that mined that microblock; null for rewards of another kind. */
  readonly miner: Address | null
  readonly keyBlockHash: Hash | null
  /** Time of the key block, Unix milliseconds. */
  readonly timeMs: number
}

const NO_MICROBLOCK = { role: 'other', keyBlockHash: null, microblockHash: null, miner: null } as const

type RewardPage = Awaited<ReturnType<ClientPort['getRewards']>>
type RewardLine = RewardPage['records'][number]

const isOfMicroblock = ({ recordType }: RewardLine): boolean => recordType === 'im' || recordType === 'iref'

/**
 * Adds microblocks to history records and keeps those of one token. Records name only a ticker, which two tokens may
 * share; the microblock has the token id. Microblocks are cached.
 */
export function createRewardReader(parameters: {
  readonly client: ClientPort
  readonly address: Address
  readonly tokenId: TokenId
  readonly isNative: boolean
}): (lines: readonly RewardLine[]) => Promise<readonly RewardRow[]> {
  const { client, address, tokenId, isNative } = parameters
  const headers = new Map<Hash, ReturnType<ClientPort['getMicroblock']>>()

  function microblock(hash: Hash): ReturnType<ClientPort['getMicroblock']> {
    const known = headers.get(hash)
    if (known !== undefined) return known
    const asked = client.getMicroblock({ hash })
    headers.set(hash, asked)
    asked.catch(() => headers.delete(hash))
    return asked
  }

  async function rowOf(line: RewardLine): Promise<RewardRow | null> {
    const { index, recordType, amount, hash, time } = line
    const common = { index, recordType, amount, recordHash: hash, timeMs: time * 1000 }
    if (!isOfMicroblock(line)) return isNative ? { ...common, ...NO_MICROBLOCK } : null
    const header = (await microblock(hash))?.header
    if (header === undefined || header.tokenId !== tokenId) return null
    const { keyBlockHash, publisher: miner } = header
    return { ...common, role: roleOf(line, header, address), keyBlockHash, microblockHash: hash, miner }
  }

  return async (lines) => {
    const rows = await Promise.all(lines.map(rowOf))
    return rows.filter((row) => row !== null)
  }
}

type Header = NonNullable<Awaited<ReturnType<ClientPort['getMicroblock']>>>['header']

function roleOf({ recordType }: RewardLine, header: Header, address: Address): RewardRole {
  if (recordType === 'im') return 'miner'
  if (header.publisher === address && header.referralAgent !== null) return 'referral'
  return header.referralAgent === address ? 'agent' : 'tokenOwner'
}
