import type { ApiParts } from '../api-parts.ts'
import { type ExampleSource, exampleSources, howToGet } from './example-sources.ts'

/** Values of the running chain; what it does not have is undefined. */
type Found = { readonly [Source in ExampleSource]?: string | undefined }

/** Initial values of an operation's form. */
export type OperationExample = {
  /** Parameters by their name on the wire. */
  readonly values: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string | undefined
  /** Sentences on what this chain does not have yet and how it gets it. */
  readonly missing: readonly string[]
}

/** Macroblocks that examples are looked for in: a chain that ran for a year has no other answer than a young one. */
const RECORD_HEIGHTS = 1000
const TRANSACTION_HEIGHTS = 20

/** The newest transaction of the newest macroblocks. */
async function newestTransaction({ store }: ApiParts, newest: number) {
  for (let height = newest; height >= 0 && height > newest - TRANSACTION_HEIGHTS; height--) {
    const [transaction] = await store.transactionsAt(height, 1)
    if (transaction !== undefined) return { transaction, height }
  }
  return undefined
}

async function ofBlocks(parts: ApiParts, height: number): Promise<Found> {
  const { store, mempool } = parts
  const newest = Math.max(0, height - 1)
  const [keyBlock, [statBlock], found] = await Promise.all([
    store.keyBlockAt(newest),
    store.statBlocksOf(newest),
    newestTransaction(parts, newest),
  ])
  const transaction = found?.transaction
  const waiting = [transaction?.from, transaction?.to].flatMap((address) =>
    address === undefined ? [] : mempool.ofAccount(address, 'both'),
  )[0]
  return {
    newestHeight: String(found?.height ?? newest),
    earlierHeight: String(Math.max(0, newest - 9)),
    keyBlock: keyBlock?.hash,
    statBlock: statBlock?.hash,
    microblock: transaction?.microblockHash,
    transaction: transaction?.hash,
    sender: transaction?.from,
    receiver: transaction?.to,
    waitingTransaction: waiting?.hash,
    waitingAccount: waiting?.transaction.from,
  }
}

async function ofRecords({ store }: ApiParts, height: number): Promise<Found> {
  const records = await store.exampleRecords(Math.max(0, height - RECORD_HEIGHTS))
  const of = (type: (typeof records)[number]['type']) => records.find((one) => one.type === type)
  const referral = of('iref')
  const microblock = referral === undefined ? undefined : await store.microblock(referral.hash)
  const publisher = of('ik')?.account
  return {
    miner: of('im')?.account,
    keyBlockPublisher: publisher,
    stakePool: of('istat')?.account,
    referralAccount: referral?.account,
    // What a publisher of key blocks earned stands in the same answer.
    referralAgent: microblock?.referralAgent ?? publisher,
    rewardedAccount: referral?.account ?? of('im')?.account ?? publisher,
  }
}

async function ofTokens({ store, network }: ApiParts): Promise<Found & { readonly anyStake: string }> {
  const nativeToken = network.ledger.nativeTokenId
  const tokens = await store.tokens()
  const native = tokens.find(({ id }) => id === nativeToken)
  const token = tokens.find(({ id, mining }) => mining !== null && id !== nativeToken) ?? native
  const reissuable = tokens.find(({ isReissuable }) => isReissuable)
  const holderOf = async (tokenId: string | undefined) => {
    if (tokenId === undefined) return undefined
    const [first] = await store.richestAccounts({ tokenId, offset: 0, limit: 1, withDelegated: false })
    return first?.account
  }
  return {
    nativeToken,
    token: token?.id,
    tokenOfAccount: token?.id,
    tokenOwner: token?.owner,
    account: await holderOf(token?.id),
    reissuableHolder: await holderOf(reissuable?.id),
    anyStake: String((native?.mining?.minimumStake ?? 1n) * 2n),
  }
}

async function found(parts: ApiParts): Promise<{ readonly values: Found; readonly anyStake: string }> {
  const { height } = await parts.store.tail()
  const [blocks, records, tokens, delegators, pools] = await Promise.all([
    ofBlocks(parts, height),
    ofRecords(parts, height),
    ofTokens(parts),
    parts.store.exampleDelegators(),
    parts.store.stakePools(height),
  ])
  const { anyStake, ...others } = tokens
  // The return of a stake is computed from what was mined.
  const pool = { poolId: pools[0]?.id, poolOwner: pools[0]?.owner }
  const stake = records.miner === undefined ? undefined : anyStake
  return { values: { ...blocks, ...records, ...others, ...delegators, ...pool, stake }, anyStake }
}

/** Values for which the answer is empty. */
const instead = (values: Found, anyStake: string): Found => ({
  stake: anyStake,
  delegator: values.account,
  undelegator: values.account,
  waitingAccount: values.sender ?? values.account,
  waitingTransaction: values.transaction,
  reissuableHolder: values.account,
})

/** Values that the network answers with something, for each operation that has parameters; from the store as it is. */
export async function chainExamples(parts: ApiParts): Promise<Readonly<Record<string, OperationExample>>> {
  const { values, anyStake } = await found(parts)
  const others = instead(values, anyStake)
  return Object.fromEntries(
    Object.entries(exampleSources).map(([operation, parameters]) => {
      const given: Record<string, string> = {}
      const missing = new Set<string>()
      for (const [name, origin] of Object.entries(parameters)) {
        const value = typeof origin === 'object' ? origin.always : (values[origin] ?? others[origin])
        if (value !== undefined) given[name] = value
        if (typeof origin === 'string' && values[origin] === undefined)
          missing.add(howToGet[origin] ?? 'This chain has none yet.')
      }
      return [operation, { values: given, missing: [...missing] }]
    }),
  )
}
