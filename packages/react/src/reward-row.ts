import type { Address, Amount, Hash, RewardRole, TokenId } from '@hailstone/mining-node'
import type { ClientPort } from './mining-ports.ts'

/** One reward of one account in one token. */
export type RewardRow = {
  /** Running number among all records of the account: grows, with gaps. */
  readonly index: number
  /** As the network calls it: `im`, `iref`, … */
  readonly recordType: string
  readonly role: RewardRole
  /** Units of the token. */
  readonly amount: Amount
  /** Hash of what was paid for, as the history has it: a microblock or another block of the network. */
  readonly recordHash: Hash
  /** The microblock that was paid for; null for rewards of another kind. */
  readonly microblockHash: Hash | null
  /** Who mined that microblock; null for rewards of another kind. */
  readonly miner: Address | null
  readonly keyBlockHash: Hash | null
  /** Unix milliseconds, of the key block. */
  readonly timeMs: number
}

const NO_MICROBLOCK = { role: 'other', keyBlockHash: null, microblockHash: null, miner: null } as const

type RewardPage = Awaited<ReturnType<ClientPort['getRewards']>>
type RewardLine = RewardPage['records'][number]

const isOfMicroblock = ({ recordType }: RewardLine): boolean => recordType === 'im' || recordType === 'iref'

/**
 * Completes lines of a history by their microblocks and keeps those of one token. The list itself names only
 * a ticker, which two tokens may share; the block names the token. A block that is looked at once is kept.
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
