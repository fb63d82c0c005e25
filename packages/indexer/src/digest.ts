import type { WalkedMacroblock } from '@hailstone/client'
import {
  type Address,
  type BlockTransaction,
  type Hash,
  type IndexEntry,
  readContract,
  type TokenId,
  transferFee,
} from '@hailstone/protocol'
import type { BlockFacts, MicroblockFact, RecordFact, SupplyFact, TokenRules, TransferFact } from './facts.ts'
import { storableText } from './storable-text.ts'

/** Numbers of the statuses on the wire (PROTOCOL 2.8). */
const statuses = { pending: 0, duplicate: 1, rejected: 2, confirmed: 3 } as const

export type RulesById = ReadonlyMap<TokenId, TokenRules>

/**
 * Returns what a macroblock means to the indexed tokens. Pure: everything that it needs was read before.
 *
 * @param read the history rows of each own microblock, by its hash, and the key block that commits to the macroblock
 */
export function digest(
  macroblock: Pick<WalkedMacroblock, 'keyBlock' | 'microblocks' | 'isComplete'>,
  {
    records,
    nextHash,
  }: { readonly records: ReadonlyMap<Hash, readonly IndexEntry[]>; readonly nextHash: Hash },
  tokens: RulesById,
): BlockFacts {
  const { keyBlock, microblocks, isComplete } = macroblock
  return {
    height: keyBlock.height,
    hash: keyBlock.hash,
    nextHash,
    time: keyBlock.time,
    microblockCount: microblocks.length,
    isProven: isComplete,
    changes: microblocks.flatMap(({ transactions }) =>
      transactions.flatMap((transaction) => changesOf(transaction, tokens)),
    ),
    microblocks: microblocks.flatMap(({ header }): readonly MicroblockFact[] => {
      const token = tokens.get(header.tokenId)
      if (token === undefined) return []
      const { hash, publisher, referralAgent } = header
      const shown = recordsOf(records.get(hash) ?? [])
      return [{ token: token.id, hash, publisher, agent: referralAgent, records: shown }]
    }),
  }
}

/** Returns the rewards among the history rows of a microblock. */
export const recordsOf = (entries: readonly IndexEntry[]): readonly RecordFact[] =>
  entries.flatMap(({ account, recordType, amount }) =>
    recordType === 'im' || recordType === 'iref'
      ? [{ type: recordType, account: account as string as Address, amount }]
      : [],
  )

/** A transfer comes before what its contract does (PROTOCOL 7.6). */
function changesOf(transaction: BlockTransaction, tokens: RulesById): readonly (TransferFact | SupplyFact)[] {
  const { hash, from, to, amount, data, tokenId } = transaction
  const token = tokens.get(tokenId)
  const status = statuses[transaction.status]
  const isConfirmed = transaction.status === 'confirmed'
  const transfer: readonly TransferFact[] =
    token === undefined
      ? []
      : [
          {
            ...{ kind: 'transfer', token: token.id, hash, from, to, amount, status },
            data: storableText(data),
            fee: isConfirmed ? transferFee(token as never, amount) : 0n,
          },
        ]
  return isConfirmed ? [...transfer, ...supplyOf(transaction, tokens)] : transfer
}

function supplyOf({ hash, from, data }: BlockTransaction, tokens: RulesById): readonly SupplyFact[] {
  const reading = readContract(data)
  const order = reading.kind === 'contract' ? reading.order : null
  if (order === null) return []
  const supply = (tokenId: string, units: bigint): readonly SupplyFact[] => {
    const token = tokens.get(tokenId as TokenId)
    return token === undefined ? [] : [{ kind: 'supply', token: token.id, account: from, units }]
  }
  if (order.type === 'create_token') return supply(hash, order.token.totalSupply)
  if (order.type === 'mint') return supply(order.tokenId, order.amount)
  if (order.type === 'burn') return supply(order.tokenId, -order.amount)
  return []
}
