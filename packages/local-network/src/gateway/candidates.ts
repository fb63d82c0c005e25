import type { LedgerChanges, LedgerState, NetworkParameters } from '@hailstone/ledger'
import type { Address, Token, TokenId } from '@hailstone/protocol'
import { chooseToken, placeIn, type Random, selectionWeight } from '../chain/selection.ts'
import { createSumTree, type SumTree } from '../chain/sum-tree.ts'
import { hasPassed } from '../clock.ts'
import type { MinerSession } from './session.ts'

/**
 * The miners that may be offered a microblock, with their weights. A round of the selection asks for a few of them, so
 * nothing here looks at all: a weight is calculated when its balance or token changes, and a miner that has had a
 * beacon takes no part until it has rested.
 */
export type Candidates = {
  /** Number of miners. */
  readonly size: () => number
  /** Number of miners that could publish now: a known, mineable token, and enough of it (PROTOCOL 5.8, rules 5 to 9). */
  readonly staked: () => number
  /** Tokens of the miners that could publish now. */
  readonly stakedTokens: () => Iterable<TokenId>
  /** Takes a miner in, or looks again at its account and token. */
  readonly put: (session: MinerSession) => void
  readonly remove: (session: MinerSession) => void
  /** Looks again at the miners that a macroblock concerns. */
  readonly apply: (changes: Pick<LedgerChanges, 'balances' | 'tokens'>) => void
  /** Looks again at every miner. */
  readonly weighAll: () => void
  /** Lets those take part again whose last beacon is old enough. @param nowMs Unix milliseconds */
  readonly endRests: (nowMs: number) => void
  /** Takes a miner out of the choice that has had a beacon. @param nowMs Unix milliseconds */
  readonly rest: (session: MinerSession, nowMs: number) => void
  /**
   * Chooses a token, then one of its miners that has rested long enough (PROTOCOL 5.7, steps 4 to 6).
   *
   * The public server counts every connection for its token. Sockets that say hail for invented tokens then get most
   * of the places, and keep what they are offered from the others until its time-out. So here a miner that could not
   * publish is offered something only while there is nobody who could, resting ones included.
   */
  readonly choose: (slotOwner: Address | null, random: Random) => MinerSession | undefined
}

export type CandidatesParameters = {
  readonly ledger: Pick<LedgerState, 'balance' | 'token'>
  readonly network: NetworkParameters
  /** Shortest time between two beacons to one miner. */
  readonly beaconIntervalMs: number
  readonly minerOf: (address: Address) => MinerSession | undefined
}

type Candidate = {
  readonly session: MinerSession
  /** Null once the miner is gone. */
  place: { readonly group: Group; readonly tokenId: TokenId } | null
  weight: bigint
  isResting: boolean
}

/** Miners that have the stake, or that have not, by token and in the order in which they came. */
type Group = Map<TokenId, SumTree<Candidate>>

/** The part of a token that the rules about stakes read. */
type StakeTerms = { readonly minimumStake: bigint | undefined; readonly decimals: number | undefined }

const termsOf = (token: Token | undefined): StakeTerms => ({
  minimumStake: token?.mining?.minimumStake,
  decimals: token?.decimals,
})

export const createCandidates = (parameters: CandidatesParameters): Candidates =>
  new WeightedCandidates(parameters)

class WeightedCandidates implements Candidates {
  readonly #given: CandidatesParameters
  readonly #staked: Group = new Map()
  readonly #others: Group = new Map()
  readonly #known = new WeakMap<MinerSession, Candidate>()
  /** Those that rest, the longest first. */
  readonly #resting = new Set<Candidate>()
  /** Of the tokens that somebody mines. */
  readonly #terms = new Map<TokenId, StakeTerms>()
  #size = 0
  #stakedSize = 0

  constructor(parameters: CandidatesParameters) {
    this.#given = parameters
  }

  readonly size = (): number => this.#size

  readonly staked = (): number => this.#stakedSize

  readonly stakedTokens = (): Iterable<TokenId> => this.#staked.keys()

  readonly put = (session: MinerSession): void => {
    const candidate = this.#known.get(session) ?? { session, place: null, weight: 0n, isResting: false }
    this.#known.set(session, candidate)
    const { address, tokenId } = session.miner
    const token = this.#given.ledger.token(tokenId)
    const balance = this.#given.ledger.balance(address, tokenId)
    const terms = termsOf(token)
    const isStaked =
      terms.minimumStake !== undefined && balance !== undefined && balance >= terms.minimumStake
    candidate.weight = selectionWeight({
      balance: balance ?? 0n,
      token,
      nativeTokenId: this.#given.network.ledger.nativeTokenId,
      maximumNativeStake: this.#given.network.ledger.maximumNativeStake,
    })
    this.#place(candidate, { group: isStaked ? this.#staked : this.#others, tokenId })
    this.#terms.set(tokenId, terms)
    this.#weigh(candidate)
  }

  readonly remove = (session: MinerSession): void => {
    const candidate = this.#known.get(session)
    if (candidate !== undefined) this.#place(candidate, null)
  }

  readonly apply = ({ balances, tokens }: Pick<LedgerChanges, 'balances' | 'tokens'>): void => {
    for (const token of tokens) {
      const terms = this.#terms.get(token.id)
      const { minimumStake, decimals } = termsOf(token)
      // Most changes of a token concern its supply.
      if (terms === undefined || (terms.minimumStake === minimumStake && terms.decimals === decimals))
        continue
      for (const session of this.#minersOf(token.id)) this.put(session)
    }
    for (const { account, tokenId } of balances) {
      const session = this.#given.minerOf(account)
      if (session?.miner.tokenId === tokenId) this.put(session)
    }
  }

  readonly weighAll = (): void => {
    const tokenIds = new Set([...this.#staked.keys(), ...this.#others.keys()])
    for (const tokenId of tokenIds) for (const session of this.#minersOf(tokenId)) this.put(session)
  }

  readonly endRests = (nowMs: number): void => {
    for (const candidate of this.#resting) {
      if (isTired(candidate.session, nowMs, this.#given.beaconIntervalMs)) return
      this.#resting.delete(candidate)
      candidate.isResting = false
      this.#weigh(candidate)
    }
  }

  readonly rest = (session: MinerSession, nowMs: number): void => {
    const candidate = this.#known.get(session)
    if (candidate === undefined || !isTired(session, nowMs, this.#given.beaconIntervalMs)) return
    this.#resting.delete(candidate)
    this.#resting.add(candidate)
    candidate.isResting = true
    this.#weigh(candidate)
  }

  readonly choose = (slotOwner: Address | null, random: Random): MinerSession | undefined => {
    const group = this.#stakedSize > 0 ? this.#staked : this.#others
    const minersByToken = new Map(Array.from(group, ([tokenId, tree]) => [tokenId, tree.count()]))
    const ownerOf = (tokenId: TokenId): Address | undefined => this.#given.ledger.token(tokenId)?.owner
    const tokenId = chooseToken({ minersByToken, slotOwner, ownerOf, random })
    const tree = tokenId === undefined ? undefined : group.get(tokenId)
    if (tree === undefined) return undefined
    const total = tree.total()
    return (total === 0n ? tree.first() : tree.at(placeIn(total, random)))?.session
  }

  #minersOf(tokenId: TokenId): readonly MinerSession[] {
    return [this.#staked, this.#others].flatMap((group) =>
      Array.from(group.get(tokenId)?.items() ?? [], ({ session }) => session),
    )
  }

  #place(candidate: Candidate, place: Candidate['place']): void {
    const { place: before } = candidate
    if (before !== null && before.group === place?.group && before.tokenId === place.tokenId) return
    if (before !== null) this.#take(candidate, before)
    candidate.place = place
    if (place === null) return
    const tree = place.group.get(place.tokenId) ?? createSumTree<Candidate>()
    place.group.set(place.tokenId, tree)
    tree.add(candidate)
    this.#size++
    if (place.group === this.#staked) this.#stakedSize++
  }

  #take(candidate: Candidate, { group, tokenId }: NonNullable<Candidate['place']>): void {
    const tree = group.get(tokenId)
    tree?.remove(candidate)
    if (tree?.size() === 0) group.delete(tokenId)
    if (!this.#staked.has(tokenId) && !this.#others.has(tokenId)) this.#terms.delete(tokenId)
    this.#size--
    if (group === this.#staked) this.#stakedSize--
  }

  #weigh(candidate: Candidate): void {
    const { place, isResting, weight } = candidate
    place?.group.get(place.tokenId)?.weigh(candidate, isResting ? null : weight)
  }
}

/** True if the last beacon was too short a time ago. */
const isTired = ({ lastBeaconAtMs }: MinerSession, nowMs: number, intervalMs: number): boolean =>
  lastBeaconAtMs !== null && !hasPassed(intervalMs, { sinceMs: lastBeaconAtMs, nowMs })
