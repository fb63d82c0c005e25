import type { Address, HailData, Hash, Microblock, TokenId, Transaction } from '@hailstone/protocol'
import type { AddedMicroblock } from '../chain/block-producer.ts'

/** Number and sum of weights of miners of one token, at one gateway. */
export type Share = { readonly count: number; readonly weight: bigint }

/** The miners of a gateway as the choice sees them: sums, nobody by name. */
export type Stand = {
  /** The open key block whose balances the weights are of. */
  readonly keyBlockHash: Hash
  /** Number of miners that could publish now, resting ones included (PROTOCOL 5.8, rules 5 to 9). */
  readonly staked: number
  /** Tokens of the miners that could publish now. */
  readonly stakedTokens: Iterable<TokenId>
  /** Returns the shares of miners with or without a stake by token: those that have rested long enough. */
  readonly rested: (isStaked: boolean) => ReadonlyMap<TokenId, Share>
}

/** A stand with those that rest, whom a leader of another process takes off itself: it knows what it has offered. */
export type WholeStand = Stand & {
  readonly all: (isStaked: boolean) => ReadonlyMap<TokenId, Share>
}

/** A group of miners of one gateway, of which the gateway chooses one. */
export type Group = { readonly tokenId: TokenId; readonly isStaked: boolean }

/** A microblock for one miner of a group. */
export type Offer = Group & {
  /** A number that the leader gives to one offer only. */
  readonly id: number
  readonly keyBlockHash: Hash
  /** Time of the leader, in Unix milliseconds, by which miners rest. */
  readonly nowMs: number
  readonly transactions: readonly Transaction[]
}

/** A hail as it came in, with which somebody else can find out whether it is signed. */
export type ReceivedHail = {
  readonly data: HailData
  /** Host as the miner wrote it in the socket address, without port. */
  readonly host: string
}

/** The session of a gateway that a miner has hailed on. */
export type Seat = {
  readonly address: Address
  /** Number of the session at its gateway. */
  readonly session: number
}

/** A seat that was taken, for which somebody else may have to leave (PROTOCOL 5.3). */
export type Claim = Seat & {
  readonly tokenId: TokenId
  readonly hail: ReceivedHail
  /** Time since the hail, in ms: a leader that is new learns of old ones. */
  readonly ageMs: number
}

/** The side of a gateway that the leader talks to. */
export type GatewayEnd = {
  /** Null while nothing is known of its miners. */
  readonly stand: () => Stand | null
  /** Lets the gateway choose a miner of the group, and answers with its weight; null if no miner has rested long enough. */
  readonly offer: (offer: Offer, answer: (weight: bigint | null) => void) => void
  /**
   * Decides who keeps a key: the miner of this seat, or somebody who hailed with the same key at another gateway. Answers
   * true if the seat is empty afterwards, because its miner was sent away or had left before.
   *
   * @param hail null if it is not known
   */
  readonly contest: (seat: Seat, hail: ReceivedHail | null, answer: (isEmpty: boolean) => void) => void
  /** Answers with the hail that took the seat, or with null if the seat is empty. */
  readonly hailOf: (seat: Seat, answer: (hail: ReceivedHail | null) => void) => void
  /** Sends the miner away: its key is used on a newer connection, or another one has shown that it has the key. */
  readonly evict: (seat: Seat) => void
}

/** A publication that the gateway has accepted. */
type Publication = {
  /** Of the offer that it answers. */
  readonly offerId: number
  readonly microblock: Microblock
}

/** The side of the leader that a gateway talks to. */
export type LeaderEnd = {
  readonly claim: (claim: Claim) => void
  /** Frees a seat whose miner has left. */
  readonly leave: (seat: Seat) => void
  /** Hands over a publication; the leader has the last word. */
  readonly publish: (publication: Publication, answer: (outcome: AddedMicroblock) => void) => void
}
