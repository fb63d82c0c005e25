import { ORIGIN_NAME } from '@hailstone/ledger'
import {
  type Amount,
  addressOf,
  type Hash,
  type KeyBlock,
  localKeyBlockHash,
  type Microblock,
  merkleRoot,
  microblockHash,
  parsePrivateKey,
  type Signature,
  sha256Hex,
  type Transaction,
  transactionHash,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'

/** Parameters of {@link createSyntheticChain}. */
export type SyntheticChainParameters = {
  /** Calculated macroblocks; the open key block comes after them. */
  readonly blocks: number
  /** In the one microblock of each macroblock; without any there is no microblock. @default 0 */
  readonly transactions?: number | undefined
  /** @default 'synthetic' */
  readonly seed?: string | undefined
}

/** A macroblock of a chain that nobody mined. */
type SyntheticMacroblock = { readonly keyBlock: KeyBlock; readonly microblocks: readonly Microblock[] }

/** A chain as long as one likes: every macroblock follows from the seed and its height. */
export type SyntheticChain = {
  /** Of the open key block. */
  readonly height: number
  /** Undefined above the open key block. The first look at a height computes those below, once. */
  readonly macroblockAt: (height: number) => SyntheticMacroblock | undefined
}

const HASH_BYTES = 32
const FIRST_SECOND = 1_600_000_000
const SECONDS_PER_BLOCK = 15
/** Well formed; nobody signed these transactions, and nobody can spend the units they move. */
const SIGNATURE = '3006020101020101' as Signature

/**
 * Links, commitments and hashes are right, signatures and balances are not looked after. Takes 32 bytes for each
 * macroblock.
 */
export function createSyntheticChain(parameters: SyntheticChainParameters): SyntheticChain {
  const { blocks, transactions: count = 0, seed = 'synthetic' } = parameters
  const addressNamed = (name: string) => addressOf(parsePrivateKey(sha256Hex(`${name} of ${seed}`)))
  const [publisher, from, to] = [addressNamed('publisher'), addressNamed('from'), addressNamed('to')]
  /** Hash of the key block at height h at byte 32 h. */
  const hashes = Buffer.alloc((blocks + 1) * HASH_BYTES)
  let known = 0

  const hashAt = (height: number): Hash =>
    height === 0
      ? ORIGIN_NAME
      : (hashes.toString('hex', height * HASH_BYTES, (height + 1) * HASH_BYTES) as Hash)

  const transactionsAt = (height: number): readonly Transaction[] =>
    Array.from({ length: count }, (_, at): Transaction => {
      const nonce = height * count + at
      return {
        from,
        to,
        amount: 1_000_000_000n as Amount,
        data: '',
        nonce,
        tokenId: ZERO_TOKEN_ID,
        signature: SIGNATURE,
      }
    })

  const microblocksAt = (height: number): readonly Microblock[] => {
    if (count === 0) return []
    const content = {
      keyBlockHash: hashAt(height),
      publisher,
      nonce: 1,
      transactions: inOrder(transactionsAt(height)),
    }
    const hash = microblockHash(content)
    return [{ ...content, hash, signature: SIGNATURE, tokenId: ZERO_TOKEN_ID, referralAgent: null }]
  }

  const contentAt = (height: number): Omit<KeyBlock, 'hash'> => ({
    height,
    time: FIRST_SECOND + SECONDS_PER_BLOCK * height,
    publisher,
    nonce: height,
    link: height === 0 ? ORIGIN_NAME : hashAt(height - 1),
    sprout: ORIGIN_NAME,
    merkleRoot:
      height === 0
        ? ''
        : merkleRoot({
            microblockHashes: microblocksAt(height - 1).map(({ hash }) => hash),
            statBlockHashes: [],
          }),
    targetDifficulty: 10,
  })

  const computeTo = (height: number): void => {
    while (known < height) {
      known++
      hashes.write(localKeyBlockHash(contentAt(known)), known * HASH_BYTES, 'hex')
    }
  }

  return {
    height: blocks,
    macroblockAt(height) {
      if (!Number.isSafeInteger(height) || height < 0 || height > blocks) return undefined
      computeTo(height)
      const keyBlock = { ...contentAt(height), hash: hashAt(height) }
      return { keyBlock, microblocks: height === blocks ? [] : microblocksAt(height) }
    },
  }
}

const inOrder = (transactions: readonly Transaction[]): readonly Transaction[] =>
  transactions
    .map((transaction) => ({ transaction, hash: transactionHash(transaction) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ transaction }) => transaction)
