import type { LedgerChanges, LedgerState, NetworkParameters } from '@hailstone/ledger'
import type { Address, Token, TokenId } from '@hailstone/protocol'
import { placeIn, type Random, selectionWeight } from '../chain/selection.ts'
import { createSumTree, type SumTree } from '../chain/sum-tree.ts'
import { hasPassed } from '../clock.ts'
import type { Group, Share } from '../leader/gateway-end.ts'
import type { MinerSession } from './session.ts'

/**
 * The miners that may be offered a microblock, with their weights. A round of the selection asks for a few of them, so
 * nothing here looks at all: a weight is calculated when its balance or token changes, and a miner that has had a
 * beacon takes no part until it has rested.
 */
export type Candidates = {
  /** Number of miners that could publish now: a known, mineable token, and enough of it (PROTOCOL 5.8, rules 5 to 9). */
  readonly staked: () => number
  /** Tokens of the miners that could publish now. */
  readonly stakedTokens: () => Iterable<TokenId>
  /**
   * Takes a miner in, or looks again at its account and token. Returns false while its balance is not in memory: it counts
   * as one without a stake until it is put again.
   */
  readonly put: (session: MinerSession) => boolean
  readonly hasStake: (session: MinerSession) => boolean
  readonly remove: (session: MinerSession) => void
  /** Looks again at the miners that a macroblock concerns. */
  readonly apply: (changes: Pick<LedgerChanges, 'balances' | 'tokens'>) => void
  /** Looks again at every miner, and returns those that have to be put again. */
  readonly weighAll: () => readonly MinerSession[]
  /** Lets those take part again whose last beacon is old enough. @param nowMs Unix milliseconds */
  readonly endRests: (nowMs: number) => void
  /** Takes a miner out of the choice that has had a beacon. @param nowMs Unix milliseconds */
  readonly rest: (session: MinerSession, nowMs: number) => void
  /** Returns the miners that have rested long enough, by token: those with a stake, or those without. */
  readonly rested: (isStaked: boolean) => ReadonlyMap<TokenId, Share>
  /** The same with those that rest. */
  readonly all: (isStaked: boolean) => ReadonlyMap<TokenId, Share>
  /** Chooses a miner of a group that has rested long enough, by weight (PROTOCOL 5.7, steps 5 and 6). */
  readonly choose: (group: Group, random: Random) => ChosenMiner | undefined
}

type ChosenMiner = { readonly session: MinerSession; readonly weight: bigint }

export type CandidatesParameters = {
  readonly ledger: Pick<LedgerState, 'balance' | 'holdsBalance' | 'token'>
  readonly network: NetworkParameters
  /** Shortest time between two beacons to one miner. */
  readonly beaconIntervalMs: number
  readonly minerOf: (address: Address) => MinerSession | undefined
}

type Candidate = {
  readonly session: MinerSession
  /** Null once the miner is gone. */
  place: { readonly members: Members; readonly tokenId: TokenId } | null
  weight: bigint
  isResting: boolean
  /** As it was when the ledger held it last; each change comes by a macroblock. Null before. */
  balance: { readonly tokenId: TokenId; readonly amount: bigint | undefined } | null
}

/** Miners that have the stake, or that have not, by token and in the order in which they came. */
type Members = Map<TokenId, TokenMembers>

type TokenMembers = {
  readonly tree: SumTree<Candidate>
  /** Sum of all weights, those that rest included. */
  weight: bigint
}

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
  readonly #staked: Members = new Map()
  readonly #others: Members = new Map()
  readonly #known = new WeakMap<MinerSession, Candidate>()
  /** Those that rest, the longest first. */
  readonly #resting = new Set<Candidate>()
  /** Of the tokens that somebody mines. */
  readonly #terms = new Map<TokenId, StakeTerms>()
  #stakedSize = 0

  constructor(parameters: CandidatesParameters) {
    this.#given = parameters
  }

  readonly staked = (): number => this.#stakedSize

  readonly stakedTokens = (): Iterable<TokenId> => this.#staked.keys()

  readonly put = (session: MinerSession): boolean => {
    const candidate: Candidate = this.#known.get(session) ?? {
      session,
      place: null,
      weight: 0n,
      isResting: false,
      balance: null,
    }
    this.#known.set(session, candidate)
    const { tokenId } = session.miner
    const token = this.#given.ledger.token(tokenId)
    this.#readBalance(candidate)
    const balance = candidate.balance?.amount
    const terms = termsOf(token)
    const isStaked =
      terms.minimumStake !== undefined && balance !== undefined && balance >= terms.minimumStake
    this.#countWeight(candidate, -1n)
    candidate.weight = selectionWeight({
      balance: balance ?? 0n,
      token,
      nativeTokenId: this.#given.network.ledger.nativeTokenId,
      maximumNativeStake: this.#given.network.ledger.maximumNativeStake,
    })
    this.#place(candidate, { members: this.#membersOf(isStaked), tokenId })
    this.#countWeight(candidate, 1n)
    this.#terms.set(tokenId, terms)
    this.#weigh(candidate)
    return candidate.balance !== null
  }

  readonly hasStake = (session: MinerSession): boolean =>
    this.#known.get(session)?.place?.members === this.#staked

  readonly remove = (session: MinerSession): void => {
    const candidate = this.#known.get(session)
    if (candidate === undefined) return
    this.#countWeight(candidate, -1n)
    this.#place(candidate, null)
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

  readonly weighAll = (): readonly MinerSession[] => {
    const tokenIds = new Set([...this.#staked.keys(), ...this.#others.keys()])
    return [...tokenIds].flatMap((tokenId) =>
      this.#minersOf(tokenId).filter((session) => {
        const candidate = this.#known.get(session)
        if (candidate !== undefined) candidate.balance = null
        return !this.put(session)
      }),
    )
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

  readonly rested = (isStaked: boolean): ReadonlyMap<TokenId, Share> =>
    this.#shares(isStaked, ({ tree }) => ({ count: tree.count(), weight: tree.total() }))

  readonly all = (isStaked: boolean): ReadonlyMap<TokenId, Share> =>
    this.#shares(isStaked, ({ tree, weight }) => ({ count: tree.size(), weight }))

  readonly choose = ({ tokenId, isStaked }: Group, random: Random): ChosenMiner | undefined => {
    const tree = this.#membersOf(isStaked).get(tokenId)?.tree
    if (tree === undefined) return undefined
    const total = tree.total()
    return total === 0n ? tree.first() : tree.at(placeIn(total, random))
  }

  #shares(isStaked: boolean, shareOf: (members: TokenMembers) => Share): ReadonlyMap<TokenId, Share> {
    return new Map(Array.from(this.#membersOf(isStaked), ([tokenId, members]) => [tokenId, shareOf(members)]))
  }

  #readBalance(candidate: Candidate): void {
    const { ledger } = this.#given
    const { address: account, tokenId } = candidate.session.miner
    // A stranger may name any text as its token. Nobody has a balance in one that is not there.
    if (ledger.token(tokenId) === undefined) candidate.balance = { tokenId, amount: undefined }
    else if (ledger.holdsBalance({ account, tokenId }))
      candidate.balance = { tokenId, amount: ledger.balance(account, tokenId) }
    else if (candidate.balance?.tokenId !== tokenId) candidate.balance = null
  }

  #countWeight({ place, weight }: Candidate, sign: 1n | -1n): void {
    const members = place?.members.get(place.tokenId)
    if (members !== undefined) members.weight += sign * weight
  }

  #membersOf(isStaked: boolean): Members {
    return isStaked ? this.#staked : this.#others
  }

  #minersOf(tokenId: TokenId): readonly MinerSession[] {
    return [this.#staked, this.#others].flatMap((members) =>
      Array.from(members.get(tokenId)?.tree.items() ?? [], ({ session }) => session),
    )
  }

  #place(candidate: Candidate, place: Candidate['place']): void {
    const { place: before } = candidate
    if (before !== null && before.members === place?.members && before.tokenId === place.tokenId) return
    if (before !== null) this.#take(candidate, before)
    candidate.place = place
    if (place === null) return
    const members = place.members.get(place.tokenId) ?? { tree: createSumTree<Candidate>(), weight: 0n }
    place.members.set(place.tokenId, members)
    members.tree.add(candidate)
    if (place.members === this.#staked) this.#stakedSize++
  }

  #take(candidate: Candidate, { members, tokenId }: NonNullable<Candidate['place']>): void {
    const tree = members.get(tokenId)?.tree
    tree?.remove(candidate)
    if (tree?.size() === 0) members.delete(tokenId)
    if (!this.#staked.has(tokenId) && !this.#others.has(tokenId)) this.#terms.delete(tokenId)
    if (members === this.#staked) this.#stakedSize--
  }

  #weigh(candidate: Candidate): void {
    const { place, isResting, weight } = candidate
    place?.members.get(place.tokenId)?.tree.weigh(candidate, isResting ? null : weight)
  }
}

/** True if the last beacon was too short a time ago. */
const isTired = ({ lastBeaconAtMs }: MinerSession, nowMs: number, intervalMs: number): boolean =>
  lastBeaconAtMs !== null && !hasPassed(intervalMs, { sinceMs: lastBeaconAtMs, nowMs })
