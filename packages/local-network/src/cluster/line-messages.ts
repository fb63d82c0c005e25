import type { OfferedMicroblock } from '@hailstone/ledger'
import type {
  Address,
  Amount,
  Hash,
  JsonValue,
  Microblock,
  Signature,
  TokenId,
  Transaction,
} from '@hailstone/protocol'
import type { AddedMicroblock } from '../chain/block-producer.ts'
import type { OnlineMiner } from '../gateway/online-miner.ts'
import type { Claim, Offer, ReceivedHail, Seat, Share, WholeStand } from '../leader/gateway-end.ts'

/** Amounts and weights are texts of digits. Members that many messages repeat have their places in lists. */
type SentTransaction = readonly [
  from: Address,
  to: Address,
  amount: string,
  nonce: number,
  tokenId: TokenId,
  data: string,
  signature: Signature,
  isVerified: boolean,
]
type SentShare = readonly [tokenId: TokenId, isStaked: boolean, count: number, weight: string]
/** Members of a hail that are no texts prove nothing, so they are left out. */
type SentHail = readonly [
  host: string,
  token: string | null,
  hash: string | null,
  signature: string | null,
  referrer: string | null,
]
type SentSeat = readonly [address: Address, session: number]
/** A seat that was taken, or left. */
type SentChange = SentSeat | readonly [...seat: SentSeat, tokenId: TokenId, ageMs: number, hail: SentHail]

/** Messages of a gateway. */
export type MessageToLeader =
  | {
      readonly kind: 'stand'
      readonly keyBlockHash: Hash
      readonly staked: number
      readonly stakedTokens: readonly TokenId[]
      readonly shares: readonly SentShare[]
    }
  | { readonly kind: 'seats'; readonly changes: readonly SentChange[] }
  | { readonly kind: 'answer'; readonly offerId: number; readonly weight: string | null }
  | {
      readonly kind: 'publish'
      readonly offerId: number
      readonly hash: Hash
      readonly publisher: Address
      readonly tokenId: TokenId
      readonly referralAgent: Address | null
      readonly signature: Signature
    }
  | { readonly kind: 'contested'; readonly number: number; readonly isEmpty: boolean }
  | { readonly kind: 'hail'; readonly number: number; readonly hail: SentHail | null }
  | { readonly kind: 'who' }

/** Messages of the leader. */
export type MessageToGateway =
  /** After each macroblock, and once a second. */
  | { readonly kind: 'tip'; readonly minersVersion: number }
  | {
      readonly kind: 'offer'
      readonly id: number
      readonly keyBlockHash: Hash
      readonly nowMs: number
      readonly tokenId: TokenId
      readonly isStaked: boolean
      readonly transactions: readonly SentTransaction[]
    }
  | { readonly kind: 'taken'; readonly offerId: number; readonly outcome: AddedMicroblock }
  | {
      readonly kind: 'contest'
      readonly number: number
      readonly seat: SentSeat
      readonly hail: SentHail | null
    }
  | { readonly kind: 'hailOf'; readonly number: number; readonly seat: SentSeat }
  | { readonly kind: 'evict'; readonly seat: SentSeat }
  | {
      readonly kind: 'miners'
      readonly version: number
      /** By token: an identifier of a token has as many digits as an address, and most mine the same one. */
      readonly miners: readonly (readonly [TokenId, readonly Address[]])[]
    }

export const formatToLeader = (message: MessageToLeader): string => JSON.stringify(message)
export const formatToGateway = (message: MessageToGateway): string => JSON.stringify(message)

/** Both ends are processes of one operator, which the secret of the line has shown. */
export const parseToLeader = (text: string): MessageToLeader => JSON.parse(text) as MessageToLeader
export const parseToGateway = (text: string): MessageToGateway => JSON.parse(text) as MessageToGateway

/** While somebody has a stake nobody without one is offered anything, so strangers do not make it longer. */
export function sendStand({ keyBlockHash, staked, stakedTokens, all }: WholeStand): MessageToLeader {
  const of = (isStaked: boolean): readonly SentShare[] =>
    Array.from(all(isStaked), ([tokenId, { count, weight }]) => [tokenId, isStaked, count, String(weight)])
  return {
    kind: 'stand',
    keyBlockHash,
    staked,
    stakedTokens: [...stakedTokens],
    shares: staked > 0 ? of(true) : of(false),
  }
}

/** A stand as a gateway told it: with those that rest. */
export type ReportedStand = Omit<WholeStand, 'rested'>

export function receiveStand({
  keyBlockHash,
  staked,
  stakedTokens,
  shares,
}: Extract<MessageToLeader, { kind: 'stand' }>): ReportedStand {
  const of = (wanted: boolean): ReadonlyMap<TokenId, Share> =>
    new Map(
      shares
        .filter(([, isStaked]) => isStaked === wanted)
        .map(([tokenId, , count, weight]) => [tokenId, { count, weight: BigInt(weight) }]),
    )
  const [withStake, without] = [of(true), of(false)]
  return { keyBlockHash, staked, stakedTokens, all: (isStaked) => (isStaked ? withStake : without) }
}

/** @param isVerified tells of which transactions the signature is known to be right */
export const sendOffer = (
  { id, keyBlockHash, nowMs, tokenId, isStaked, transactions }: Offer,
  isVerified: (transaction: Transaction) => boolean,
): MessageToGateway => ({
  kind: 'offer',
  id,
  keyBlockHash,
  nowMs,
  tokenId,
  isStaked,
  transactions: transactions.map((one) => [
    one.from,
    one.to,
    String(one.amount),
    one.nonce,
    one.tokenId,
    one.data,
    one.signature,
    isVerified(one),
  ]),
})

/** @param take called with each transaction; what it returns is offered */
export const receiveOffer = (
  { transactions, ...offer }: Extract<MessageToGateway, { kind: 'offer' }>,
  take: (transaction: Transaction, isVerified: boolean) => Transaction,
): Offer => ({
  ...offer,
  transactions: transactions.map(([from, to, amount, nonce, tokenId, data, signature, isVerified]) =>
    take({ from, to, amount: BigInt(amount) as Amount, nonce, tokenId, data, signature }, isVerified),
  ),
})

export const sendPublication = (
  offerId: number,
  { hash, publisher, tokenId, referralAgent, signature }: Microblock,
): MessageToLeader => ({ kind: 'publish', offerId, hash, publisher, tokenId, referralAgent, signature })

/** The microblock of a publication, whose transactions are those of the offer. */
export const receivePublication = (
  { hash, publisher, tokenId, referralAgent, signature }: Extract<MessageToLeader, { kind: 'publish' }>,
  { keyBlockHash, transactions }: Pick<OfferedMicroblock, 'keyBlockHash' | 'transactions'>,
): Microblock => ({
  keyBlockHash,
  publisher,
  nonce: 1,
  transactions,
  hash,
  tokenId,
  referralAgent,
  signature,
})

const textOf = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null)

export const sendHail = ({ host, data }: ReceivedHail): SentHail => [
  host,
  textOf(data.token),
  textOf(data.hash),
  textOf(data.signature),
  textOf(data.referrer),
]

export const receiveHail = (
  address: Address,
  [host, token, hash, signature, referrer]: SentHail,
): ReceivedHail => ({ host, data: { id: address, token, hash, signature, referrer } })

export const sendSeat = ({ address, session }: Seat): SentSeat => [address, session]
export const receiveSeat = ([address, session]: SentSeat): Seat => ({ address, session })

export const sendClaim = (claim: Claim): SentChange => [
  ...sendSeat(claim),
  claim.tokenId,
  Math.round(claim.ageMs),
  sendHail(claim.hail),
]

/** Returns a claim, or the seat that was left. */
export function receiveChange(change: SentChange): Claim | Seat {
  if (change.length === 2) return receiveSeat(change)
  const [address, session, tokenId, ageMs, hail] = change
  return { address, session, tokenId, ageMs, hail: receiveHail(address, hail) }
}

export function sendMiners(version: number, miners: readonly OnlineMiner[]): MessageToGateway {
  const byToken = new Map<TokenId, Address[]>()
  for (const { address, tokenId } of miners) {
    const listed = byToken.get(tokenId)
    if (listed === undefined) byToken.set(tokenId, [address])
    else listed.push(address)
  }
  return { kind: 'miners', version, miners: [...byToken] }
}

export const receiveMiners = ({
  miners,
}: Extract<MessageToGateway, { kind: 'miners' }>): readonly OnlineMiner[] =>
  miners.flatMap(([tokenId, addresses]) => addresses.map((address) => ({ address, tokenId })))
