import {
  type Address,
  type Amount,
  type Hash,
  looksLikeAddress,
  looksLikeSignature,
  MAX_AMOUNT,
  MAX_NONCE,
  readContract,
  type Signature,
  signingHashOfTexts,
  type TokenId,
  type Transaction,
  transactionHashOfTexts,
  type VerifyText,
} from '@hailstone/protocol'
import type { PoolRefusal } from '../chain/pool-limits.ts'

/** Verdict of POST /tx on a body, before the pool is consulted. */
export type PostVerdict =
  | { readonly kind: 'accepted'; readonly hash: Hash; readonly transaction: Transaction }
  /** HTTP 200 with the message. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The public server throws: HTTP 500. */
  | { readonly kind: 'crashed' }

/** Constant-time queries of the pool that may make verifying the signature unnecessary. */
export type PoolView = {
  readonly get: (hash: string) => unknown
  readonly refusal?: ((transaction: Transaction, hash: Hash) => PoolRefusal | null) | undefined
}

/** In what the nodes of a network differ. */
export type PostRules = {
  /** `data` may hold `+` and `=`, as newer nodes take them (PROTOCOL 2.4). @default false */
  readonly newerData?: boolean | undefined
}

/** Sentences of this network's own; the public pool has no bounds (QUIRKS.md). */
const refusalTexts: { readonly [Kind in PoolRefusal['kind']]: (limit: number) => string } = {
  senderFull: (limit) =>
    `The sender has ${limit} waiting transactions, the most one sender may have. Send it again after the next macroblock.`,
  uncovered: (limit) =>
    `The sender has ${limit} or more waiting transactions and its balance does not cover this one. Send it again when it does.`,
  poolFull: (limit) =>
    `The pool is full with ${limit} transactions. Send it again after the next macroblock.`,
}

export const poolRefusalText = ({ kind, limit }: PoolRefusal): string => refusalTexts[kind](limit)

/** A transaction as strangers send it: any JSON value in any member. */
type Posted = { readonly [member: string]: unknown }

const members = ['amount', 'data', 'from', 'nonce', 'sign', 'ticker', 'to'] as const

const crashed: PostVerdict = { kind: 'crashed' }
const refused = (message: string): PostVerdict => ({ kind: 'refused', message })

/**
 * Values become text as in JavaScript: `null` is "null", a list its items with commas, an object "[object
 * Object]". The patterns of the public server see these texts.
 */
const text = (value: unknown): string => String(value)

const isUnsignedInteger = (digits: string): boolean => /^(?:0|[1-9]\d*)$/.test(digits)
const isData = (data: string): boolean => /^[0-9a-zA-Z _\-/.]{0,512}$/.test(data)
const isNewerData = (data: string): boolean => /^[0-9a-zA-Z _\-/.+=]{0,512}$/.test(data)
const isTokenText = (ticker: string): boolean => /^[0-9a-fA-F]{64}$/.test(ticker)

/** PROTOCOL 2.4, checks 7 to 18: the message and when it is due. The first that fails answers. */
const checks: readonly (readonly [message: string, fails: (posted: Posted, rules: PostRules) => boolean])[] =
  [
    ['Missed fields', (posted) => members.some((name) => posted[name] === undefined)],
    ['FROM field in not a valid Enecuum address', ({ from }) => !looksLikeAddress(text(from))],
    ['TO field in not a valid Enecuum address', ({ to }) => !looksLikeAddress(text(to))],
    ['Incorrect ticker format, hash expected', ({ ticker }) => !isTokenText(text(ticker))],
    [
      'Amount should be a string or a number',
      ({ amount }) => typeof amount !== 'string' && typeof amount !== 'number',
    ],
    ['Amount string should be a 0-9 digits only', ({ amount }) => !isUnsignedInteger(text(amount))],
    ['Nonce should be a number', ({ nonce }) => typeof nonce !== 'number'],
    [
      'Incorrect data format',
      ({ data }, { newerData }) => !(newerData === true ? isNewerData : isData)(text(data)),
    ],
    ['Incorrect sign format', ({ sign }) => !looksLikeSignature(text(sign))],
    // The number 0 passes here; the text does not.
    ['Amount is not a valid Integer', ({ amount }) => amount === '0'],
    // The trailing blanks are the network's.
    ['Amount is out of range ', ({ amount }) => BigInt(text(amount)) > MAX_AMOUNT],
    ['Nonce is out of range ', ({ nonce }) => Number(nonce) < 0 || Number(nonce) > MAX_NONCE],
  ]

const textsOf = ({ amount, data, from, nonce, sign, ticker, to }: Posted) => ({
  amount: text(amount),
  data: text(data),
  from: text(from),
  nonce: text(nonce),
  signature: text(sign),
  tokenId: text(ticker),
  to: text(to),
})

/** Check 20 to 22: what the data asks for, as far as its form tells. */
function contractVerdict(data: unknown): PostVerdict | null {
  // Text methods are called on it; a number or null, correctly signed, ends here.
  if (typeof data !== 'string') return crashed
  const reading = readContract(data)
  if (reading.kind === 'undecodable') return crashed
  return reading.kind === 'refused' ? refused(reading.message) : null
}

/**
 * Returns the transaction as the node stores it: addresses in lower case, everything else as sent. A fractional nonce
 * is rounded by its column, so such a transaction never matches its signature again and waits for ever.
 */
const stored = (posted: Posted, texts: ReturnType<typeof textsOf>): Transaction => ({
  amount: BigInt(texts.amount) as Amount,
  data: texts.data,
  from: texts.from.toLowerCase() as Address,
  nonce: Math.round(Number(posted.nonce)),
  tokenId: texts.tokenId as TokenId,
  to: texts.to.toLowerCase() as Address,
  signature: texts.signature as Signature,
})

/** A list of one address passes every pattern; it cannot be put into lower case. */
const hasAddresses = ({ from, to }: Posted): boolean => typeof from === 'string' && typeof to === 'string'

function elementVerdict(
  posted: Posted,
  verify: VerifyText,
  { pool, ...rules }: PostRules & { readonly pool?: PoolView | undefined },
): PostVerdict {
  const failed = checks.find(([, fails]) => fails(posted, rules))
  if (failed !== undefined) return refused(failed[0])
  const texts = textsOf(posted)
  const { signature, from } = texts
  const hash = transactionHashOfTexts(texts)
  // The hash is of the signature too: what waits under it has been verified.
  if (pool?.get(hash) === undefined) {
    const refusal = hasAddresses(posted) ? pool?.refusal?.(stored(posted, texts), hash) : undefined
    if (refusal) return refused(poolRefusalText(refusal))
    if (!verify({ text: signingHashOfTexts(texts), signature, address: from }))
      return refused('Signature verification failed')
  }
  const contract = contractVerdict(posted.data)
  if (contract !== null) return contract
  if (!hasAddresses(posted)) return crashed
  return { kind: 'accepted', hash, transaction: stored(posted, texts) }
}

/**
 * Every check of POST /tx from the number of elements to the contract, in the network's order and with its texts
 * (PROTOCOL 2.4). Whether the transaction is in the pool is answered afterwards; with a pool, what it would refuse is
 * refused before the signature is verified, and what waits there is not verified again.
 *
 * @param body what ordinary `JSON.parse` made of the request, numbers as doubles; undefined when it was not JSON
 */
export function validatePostedTransaction(
  body: unknown,
  verify: VerifyText,
  given: PostRules & { readonly pool?: PoolView | undefined } = {},
): PostVerdict {
  if (!Array.isArray(body) || body.length !== 1) return refused('Only 1 TX can be sent')
  const element: unknown = body[0]
  if (Array.isArray(element)) return refused('Only 1 TX can be sent')
  if (element === null) return crashed
  return elementVerdict(Object(element) as Posted, verify, given)
}
