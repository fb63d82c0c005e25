import { isDeepStrictEqual } from 'node:util'
import type { Client } from '@hailstone/client'
import { type Address, apiError, richestAccountsEndpoint, type TokenId } from '@hailstone/protocol'
import type { BlockFacts, TokenRules } from './facts.ts'
import { readBlocks } from './read-blocks.ts'
import { readHolderPage, readHolders } from './read-holders.ts'
import { UNDO_HEIGHTS } from './store/undo.ts'

/** Balances and supply of a token before block 0. */
export type Opening = { readonly balances: ReadonlyMap<Address, bigint>; readonly supply: bigint }

/** Readings of the list of holders, or of a page of it, while the chain moves. */
const TRIES = 20

/** A block that was walked, and what it moved. */
type WalkedBlock = Pick<BlockFacts, 'height' | 'hash' | 'nextHash' | 'time'> & Moves

/** Units that accounts got and, negative, gave away; and the units that were issued. */
type Moves = { readonly moved: ReadonlyMap<Address, bigint>; readonly issued: bigint }

/** What the chain moved from the first block up to the last one that was walked. */
type Walked = {
  /** Units of each account, and the number of blocks that moved any. */
  readonly moved: Map<Address, { readonly units: bigint; readonly blocks: number }>
  issued: bigint
  /** The newest blocks, which can be taken back when the chain goes over to another branch. */
  readonly blocks: WalkedBlock[]
}

const nothingWalked = (): Walked => ({ moved: new Map(), issued: 0n, blocks: [] })

/** What was walked for tokens before a look-up failed, so that the next attempt goes on from there. */
export type OpeningMemory = Map<TokenId, Walked>

/** Returns the number of blocks that were walked for the tokens of a memory. */
export const walkedCount = (memory: OpeningMemory): number =>
  [...memory.values()].reduce((count, { blocks }) => count + (blocks.at(-1)?.height ?? -1) + 1, 0)

/**
 * Returns the balances and the supply with which a token began that no transaction created: the balances of its holders
 * now, less everything that the blocks since then have moved. For that every block is read once; statuses and rewards are
 * in the blocks, so no balance has to be computed. If a block is added while the pages of holders are read, each page
 * counts at the block at which it was read, and the parts have to add up to the supply.
 *
 * @throws {NodeError} `REQUEST_FAILED` if no reading is whole, and what the look-ups throw
 */
export async function learnOpening(
  client: Client,
  token: TokenRules,
  {
    signal,
    memory = new Map(),
  }: { readonly signal?: AbortSignal | undefined; readonly memory?: OpeningMemory | undefined } = {},
): Promise<Opening> {
  const { tokenId } = token
  const walked = memory.get(tokenId) ?? nothingWalked()
  memory.set(tokenId, walked)
  const openings = new Map<Address, bigint>()
  const advance = (): Promise<void> => walkOn(client, { token, signal, walked })
  const isStill = async (): Promise<boolean> => {
    const last = walked.blocks.at(-1)
    if ((await client.getHeight({ signal })) - 1 !== (last?.height ?? -1)) return false
    return last === undefined || (await isCommitted(client, last, signal))
  }
  const listed = new Set<Address>()
  const keep = (accounts: ReadonlyMap<Address, bigint>): void => {
    for (const [account, amount] of accounts) {
      listed.add(account)
      const before = amount - (walked.moved.get(account)?.units ?? 0n)
      // A row of zero that moves made cannot be told from one that was there, unless nothing moved.
      if (before === 0n && walked.moved.has(account)) openings.delete(account)
      else openings.set(account, before)
    }
  }
  /** Counts accounts that no page lists as empty; they began with what they gave away. */
  const keepUnlisted = (): void => {
    for (const [account, { units }] of walked.moved)
      if (units !== 0n && !listed.has(account)) openings.set(account, -units)
  }
  /** Reads until the chain stood still meanwhile, so that what was read is of the newest block. */
  const atOneBlock = async <T>(read: () => Promise<T>): Promise<T> => {
    for (let left = TRIES; left > 0; left--) {
      await advance()
      const found = await read()
      if (await isStill()) return found
    }
    throw notWhole(
      token,
      `the chain moved during each of ${TRIES} readings; begin again, with an API that is nearer`,
    )
  }
  const supplyBefore = async (): Promise<bigint> =>
    ((await client.getToken({ tokenId, signal }))?.totalSupply ?? 0n) - walked.issued
  /** Reads all holders and the supply; undefined if the chain moved meanwhile. */
  const readAll = async (): Promise<Opening | undefined> => {
    const holders = await readHolders(client, { tokenId, signal })
    const before = await supplyBefore()
    if (!(await isStill())) return undefined
    openings.clear()
    listed.clear()
    keep(holders)
    keepUnlisted()
    return openingOf(openings, before)
  }
  await advance()
  const first = await readAll()
  if (first !== undefined) {
    if (isWhole(first)) return first
    // A list may be cut. One that never adds up to the supply is what the network says twice.
    const second = await readAll()
    if (second !== undefined && (isWhole(second) || isDeepStrictEqual(second, first))) return second
  }
  for (let left = TRIES; left > 0; left--) {
    for (let page = 0; ; page++) {
      const found = await atOneBlock(() => readHolderPage(client, { tokenId, page, signal }))
      keep(found.accounts)
      if (found.isLast) break
    }
    const supply = await atOneBlock(supplyBefore)
    keepUnlisted()
    const opening = openingOf(openings, supply)
    if (isWhole(opening)) return opening
  }
  throw notWhole(token, `the balances of its holders never added up to its supply in ${TRIES} readings`)
}

/** Orders by address, so that accounts get the same numbers whenever an index is begun. */
const openingOf = (openings: ReadonlyMap<Address, bigint>, supply: bigint): Opening => ({
  balances: new Map([...openings].sort(([a], [b]) => (a < b ? -1 : 1))),
  supply,
})

/** True if balances add up to the supply. */
const isWhole = ({ balances, supply }: Opening): boolean =>
  [...balances.values()].reduce((sum, amount) => sum + amount, 0n) === supply

const notWhole = ({ tokenId }: TokenRules, reason: string) =>
  apiError('REQUEST_FAILED', {
    ...{ path: richestAccountsEndpoint.path, reason },
    asked: `the holders of token ${tokenId} at one height`,
  })

/** Walks on to the newest block, from the newest walked one that is part of the chain. */
async function walkOn(
  client: Client,
  of: { readonly token: TokenRules; readonly walked: Walked; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const { token, walked, signal } = of
  let last = walked.blocks.at(-1)
  while (last !== undefined && !(await isCommitted(client, last, signal))) {
    countMoves(walked, last, -1)
    walked.blocks.pop()
    last = walked.blocks.at(-1)
  }
  if (last === undefined) Object.assign(walked, nothingWalked())
  const toHeight = (await client.getHeight({ signal })) - 1
  const tokens = new Map([[token.tokenId, token]])
  const after = last === undefined ? undefined : { ...last, time: BigInt(last.time) }
  const walk = { fromHeight: (last?.height ?? -1) + 1, toHeight, after, tokens, signal }
  for await (const facts of readBlocks(client, walk)) {
    const { height, hash, nextHash, time } = facts
    const block = { height, hash, nextHash, time, ...movesOf(facts, token) }
    countMoves(walked, block, 1)
    walked.blocks.push(block)
    if (walked.blocks.length > UNDO_HEIGHTS) walked.blocks.shift()
  }
}

/** Adds what a block moved, or takes it back. */
function countMoves(walked: Walked, { moved, issued }: Moves, sign: 1 | -1): void {
  walked.issued += BigInt(sign) * issued
  for (const [account, units] of moved) {
    const before = walked.moved.get(account) ?? { units: 0n, blocks: 0 }
    const blocks = before.blocks + sign
    if (blocks === 0) walked.moved.delete(account)
    else walked.moved.set(account, { units: before.units + BigInt(sign) * units, blocks })
  }
}

/** True if a block that was walked is part of the chain, by the key block that commits to it. */
async function isCommitted(
  client: Client,
  { height, nextHash }: Pick<BlockFacts, 'height' | 'nextHash'>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const above = await client.getMacroblock({ height: height + 1, signal })
  return above?.keyBlock.hash === nextHash
}

/** Returns what a block moved and issued of a token. */
function movesOf(facts: BlockFacts, token: TokenRules): Moves {
  const moved = new Map<Address, bigint>()
  const add = (account: Address, units: bigint): void => {
    moved.set(account, (moved.get(account) ?? 0n) + units)
  }
  let issued = 0n
  for (const change of facts.changes) {
    if (change.kind === 'supply') {
      add(change.account, change.units)
      issued += change.units
    } else if (change.status === 3) {
      add(change.from, -change.amount)
      if (token.feeType !== 2) add(token.owner, change.fee)
      add(change.to, change.amount - change.fee)
    }
  }
  for (const { records, publisher, agent } of facts.microblocks) {
    for (const { account, amount } of records) {
      add(account, amount)
      issued += amount
    }
    const own = records.find(({ type }) => type === 'im')?.amount ?? 0n
    const half = records.find(({ type, account }) => type === 'iref' && account === publisher)
    const isHalved = agent !== null && half !== undefined && records.length > 2
    const referral = (own * BigInt(token.mining?.referralShareBps ?? 0)) / 10_000n
    if (isHalved && referral % 2n === 1n) add(token.owner, 1n)
  }
  return { moved, issued }
}
