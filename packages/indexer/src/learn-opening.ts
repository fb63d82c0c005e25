import type { Client } from '@hailstone/client'
import { type Address, apiError, richestAccountsEndpoint } from '@hailstone/protocol'
import type { BlockFacts, TokenRules } from './facts.ts'
import { readBlocks } from './read-blocks.ts'
import { readHolders } from './read-holders.ts'

/** Balances and supply of a token before block 0. */
export type Opening = { readonly balances: ReadonlyMap<Address, bigint>; readonly supply: bigint }

/** Times that the list of holders is read again when the chain changes meanwhile. */
const TRIES = 20

/**
 * Returns what a token that no transaction created began with: what its accounts hold now, without everything that the
 * chain moved. The chain is walked once for that, and needs no balance, since statuses and rewards are given.
 *
 * @throws {NodeError} `REQUEST_FAILED` if the chain grew during each reading of the holders, and what the look-ups throw
 */
export async function learnOpening(
  client: Client,
  token: TokenRules,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Opening> {
  const tokens = new Map([[token.tokenId, token]])
  const moved = new Map<Address, bigint>()
  let issued = 0n
  let last: BlockFacts | undefined
  for (let left = TRIES; left >= 0; left--) {
    if (last !== undefined && !(await isCommitted(client, last, signal))) {
      // The chain went over to another branch: what was walked may not be part of it.
      moved.clear()
      issued = 0n
      last = undefined
    }
    const toHeight = (await client.getHeight({ signal })) - 1
    const walk = { fromHeight: (last?.height ?? -1) + 1, toHeight, after: last, tokens, signal }
    for await (const facts of readBlocks(client, walk)) {
      issued += addMoves(moved, facts, token)
      last = facts
    }
    const holders = await readHolders(client, { tokenId: token.tokenId, signal })
    const info = await client.getToken({ tokenId: token.tokenId, signal })
    const isTip = (await client.getHeight({ signal })) - 1 === (last?.height ?? -1)
    if (!isTip || (last !== undefined && !(await isCommitted(client, last, signal)))) continue
    const balances = new Map<Address, bigint>()
    // By address, so that accounts get the same numbers whenever an index is begun.
    for (const [account, amount] of [...holders].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const before = amount - (moved.get(account) ?? 0n)
      // A row of zero that moves made cannot be told from one that was there, unless nothing moved.
      if (before !== 0n || !moved.has(account)) balances.set(account, before)
    }
    return { balances, supply: (info?.totalSupply ?? 0n) - issued }
  }
  throw apiError('REQUEST_FAILED', {
    path: richestAccountsEndpoint.path,
    asked: `the holders of token ${token.tokenId} at one height`,
    reason: `the chain grew during each of ${TRIES + 1} readings; begin again, with an API that is nearer`,
  })
}

/** True if a block that was walked is part of the chain, by the key block that commits to it. */
async function isCommitted(
  client: Client,
  { height, nextHash }: BlockFacts,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const above = await client.getMacroblock({ height: height + 1, signal })
  return above?.keyBlock.hash === nextHash
}

/** Adds what a block moved; returns the units that it issued. */
function addMoves(moved: Map<Address, bigint>, facts: BlockFacts, token: TokenRules): bigint {
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
  return issued
}
