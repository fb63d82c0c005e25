import {
  type Address,
  type Amount,
  addressOf,
  type Hash,
  type KeyBlock,
  type PrivateKey,
  parseAmount,
  parsePrivateKey,
  sha256Hex,
  type Token,
  type TokenId,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import type { Balance } from './held-balances.ts'
import type { LedgerParameters } from './ledger-parameters.ts'
import type { Delegation, StakePool } from './ledger-view.ts'

/** An account whose private key everybody may know: it has value on one machine only. */
export type DevelopmentAccount = {
  readonly name: string
  readonly address: Address
  readonly privateKey: PrivateKey
}

type Developers = readonly [
  DevelopmentAccount,
  DevelopmentAccount,
  DevelopmentAccount,
  DevelopmentAccount,
  DevelopmentAccount,
]

/** The accounts that a network is born with. */
export type GenesisAccounts = {
  /** Owns the native token, receives contracts, collects dust. */
  readonly genesis: DevelopmentAccount
  readonly faucet: DevelopmentAccount
  /** Publishes the key blocks, in place of proof of work. */
  readonly keyBlockPublisher: DevelopmentAccount
  /** Mines when nobody else does; holds the least stake, so it takes little from others. */
  readonly fallbackMiner: DevelopmentAccount
  readonly poolOwner: DevelopmentAccount
  readonly poolDelegate: DevelopmentAccount
  /** Owns the custom tokens. */
  readonly tokenOwner: DevelopmentAccount
  /** Send one another small payments, so that an idle network has something to mine. */
  readonly keepAlive: readonly [DevelopmentAccount, DevelopmentAccount]
  /** Funded in the native and in the mineable token, for whoever works with the network. */
  readonly developers: Developers
}

/** Tokens of a new local network, one of each kind. */
export type GenesisTokens = {
  readonly native: Token
  readonly mineable: Token
  readonly fixed: Token
  readonly reissuable: Token
}

/** Places for microblocks that token owners have in a macroblock (PROTOCOL 5.7). */
export type MicroblockSlots = {
  /** Microblocks in one owner's place. */
  readonly size: number
  readonly count: number
  /** Native units an owner must exceed. */
  readonly minimumStake: Amount
  /** Places that are not given by stake; `random` is open to every token. */
  readonly reserve: readonly (Address | 'random')[]
}

/** Balances and tokens of another network, with which a network begins besides its own. */
export type RecordedState = {
  readonly tokens: readonly Token[]
  readonly balances: readonly Balance[]
}

/** Parameters that never change during the life of a network. */
export type NetworkParameters = {
  readonly seed: string
  readonly ledger: LedgerParameters
  readonly leaderId: string
  readonly microblockSlots: MicroblockSlots
  /** Votes in every macroblock, so that the proof-of-stake share has a receiver. */
  readonly votingPoolId: Hash
  readonly poolMinimumStake: Amount
  /** Key blocks between undelegating and taking the coins out. */
  readonly transferLockBlocks: number
  readonly initialSupply: Amount
  /** For display only (PROTOCOL 6.1). */
  readonly informativeReferralBps: number
  /** @default none */
  readonly recorded?: RecordedState | undefined
}

/** The state before block 0. */
export type Genesis = {
  readonly parameters: NetworkParameters
  readonly accounts: GenesisAccounts
  readonly tokens: GenesisTokens
  readonly content: {
    readonly tokens: readonly Token[]
    readonly balances: readonly Balance[]
    readonly stakePools: readonly StakePool[]
    readonly delegations: readonly Delegation[]
  }
  /** Block 0; it is open from the start. */
  readonly origin: KeyBlock
}

/** The origin block has a text for a name. */
export const ORIGIN_NAME = 'DEVGENESIS' as Hash

const DECIMALS = 10
const coins = (text: string): Amount => parseAmount(text, { decimals: DECIMALS })

function account(seed: string, name: string): DevelopmentAccount {
  const privateKey = parsePrivateKey(sha256Hex(`hailstone account ${name} of ${seed}`))
  return { name, address: addressOf(privateKey), privateKey }
}

function createAccounts(seed: string): GenesisAccounts {
  const named = (name: string) => account(seed, name)
  return {
    genesis: named('genesis'),
    faucet: named('faucet'),
    keyBlockPublisher: named('key block publisher'),
    // The key is derived from this name: another one would be another account.
    fallbackMiner: named('house miner'),
    poolOwner: named('pool owner'),
    poolDelegate: named('pool delegate'),
    tokenOwner: named('token owner'),
    keepAlive: [named('keep-alive 1'), named('keep-alive 2')],
    developers: [
      named('developer 1'),
      named('developer 2'),
      named('developer 3'),
      named('developer 4'),
      named('developer 5'),
    ],
  }
}

type Holding = { readonly account: DevelopmentAccount; readonly coins: string }

const nativeHoldings = (accounts: GenesisAccounts): readonly Holding[] => [
  { account: accounts.genesis, coins: '5000000' },
  { account: accounts.faucet, coins: '10000000' },
  { account: accounts.keyBlockPublisher, coins: '1000' },
  { account: accounts.fallbackMiner, coins: '25' },
  { account: accounts.poolOwner, coins: '1000' },
  { account: accounts.poolDelegate, coins: '1000' },
  { account: accounts.tokenOwner, coins: '1000000' },
  ...accounts.keepAlive.map((one) => ({ account: one, coins: '1000000' })),
  ...accounts.developers.map((one) => ({ account: one, coins: '100000' })),
]

const mineableHoldings = (accounts: GenesisAccounts): readonly Holding[] => [
  { account: accounts.tokenOwner, coins: '10000000' },
  ...accounts.developers.map((one) => ({ account: one, coins: '50000' })),
]

const DELEGATED = coins('300000')

const sumOf = (holdings: readonly Holding[]): bigint =>
  holdings.reduce((sum, holding) => sum + coins(holding.coins), 0n)

/** Parameters of the public main network (PROTOCOL 6.1, 9.1). */
const nativeToken = (id: TokenId, owner: Address, totalSupply: Amount): Token => ({
  id,
  owner,
  symbol: 'DEV',
  caption: 'Development coin',
  decimals: DECIMALS,
  totalSupply,
  isReissuable: false,
  feeType: 0,
  feeValue: coins('0.1'),
  feeMinimum: coins('0.1'),
  mining: {
    maxSupply: coins('350000000'),
    blockReward: coins('3.046'),
    minimumStake: coins('25'),
    referrerStake: coins('1000'),
    referralShareBps: 2574,
  },
})

const customTokenId = (seed: string, symbol: string): TokenId =>
  sha256Hex(`hailstone token ${symbol} of ${seed}`) as string as TokenId

/** One custom token of each kind, with each kind of fee. */
function customTokens(seed: string, owner: Address, minedSupply: Amount): Omit<GenesisTokens, 'native'> {
  const common = { owner, isReissuable: false, mining: null }
  return {
    mineable: {
      ...common,
      id: customTokenId(seed, 'HAIL'),
      symbol: 'HAIL',
      caption: 'Mineable token',
      decimals: DECIMALS,
      totalSupply: minedSupply,
      feeType: 0,
      feeValue: coins('0.1'),
      feeMinimum: coins('0.1'),
      mining: {
        maxSupply: coins('1000000000'),
        blockReward: coins('11'),
        minimumStake: coins('100'),
        referrerStake: coins('1000'),
        referralShareBps: 1000,
      },
    },
    fixed: {
      ...common,
      id: customTokenId(seed, 'FROST'),
      symbol: 'FROST',
      caption: 'Token of fixed supply',
      decimals: 2,
      totalSupply: 100_000_000n as Amount,
      feeType: 1,
      feeValue: 100n as Amount,
      feeMinimum: 20n as Amount,
    },
    reissuable: {
      ...common,
      id: customTokenId(seed, 'THAW'),
      symbol: 'THAW',
      caption: 'Reissuable token',
      decimals: 0,
      totalSupply: 1_000_000n as Amount,
      isReissuable: true,
      feeType: 2,
      feeValue: coins('0.2'),
      feeMinimum: coins('0.2'),
    },
  }
}

const balancesOf = (tokenId: TokenId, holdings: readonly Holding[]): readonly Balance[] =>
  holdings.map((holding) => ({ account: holding.account.address, tokenId, amount: coins(holding.coins) }))

function networkParameters(
  { seed, nativeTokenId }: { readonly seed: string; readonly nativeTokenId: TokenId },
  genesis: Address,
  initialSupply: Amount,
): NetworkParameters {
  const transferLockBlocks = 10
  return {
    seed,
    ledger: {
      nativeTokenId,
      genesis,
      rewardRatio: { proofOfActivityBps: 3181, proofOfStakeBps: 5500, proofOfWorkBps: 500 },
      feeShares: { keyBlockPublisherBps: 50, genesisBps: 300, leaderBps: 50, proofOfStakeBps: 9600 },
      maximumNativeStake: coins('25000'),
      contractPrices: { create_token: coins('1000') },
      undelegationLockBlocks: transferLockBlocks,
    },
    leaderId: '14532',
    microblockSlots: {
      size: 2,
      count: 4,
      minimumStake: coins('500000'),
      reserve: [genesis, 'random'],
    },
    votingPoolId: sha256Hex(`hailstone pool of ${seed}`),
    poolMinimumStake: coins('25001'),
    transferLockBlocks,
    initialSupply,
    informativeReferralBps: 819,
  }
}

/**
 * The beginning of a network. The same seed gives the same accounts, keys, tokens and balances.
 *
 * @param parameters.time Unix seconds of the origin block
 * @param parameters.nativeTokenId by default 64 zeros
 * @param parameters.recorded added to what the seed gives, where that has no such token
 */
export function createGenesis(parameters: {
  readonly seed: string
  readonly time: number
  readonly nativeTokenId?: TokenId | undefined
  readonly recorded?: RecordedState | undefined
}): Genesis {
  const { seed, time, nativeTokenId = ZERO_TOKEN_ID, recorded } = parameters
  const accounts = createAccounts(seed)
  const native = nativeHoldings(accounts)
  const mined = mineableHoldings(accounts)
  const initialSupply = (sumOf(native) + DELEGATED) as Amount
  const custom = customTokens(seed, accounts.tokenOwner.address, sumOf(mined) as Amount)
  const tokens = { native: nativeToken(nativeTokenId, accounts.genesis.address, initialSupply), ...custom }
  const network = networkParameters({ seed, nativeTokenId }, accounts.genesis.address, initialSupply)
  const own = [tokens.native, tokens.mineable, tokens.fixed, tokens.reissuable]
  const ownIds = new Set(own.map(({ id }) => id))
  return {
    parameters: recorded === undefined ? network : { ...network, recorded },
    accounts,
    tokens,
    content: {
      tokens: [...own, ...(recorded?.tokens ?? []).filter(({ id }) => !ownIds.has(id))],
      balances: [
        ...balancesOf(tokens.native.id, native),
        ...balancesOf(tokens.mineable.id, mined),
        ...[tokens.fixed, tokens.reissuable].map(({ id, owner, totalSupply }) => ({
          account: owner,
          tokenId: id,
          amount: totalSupply,
        })),
        ...(recorded?.balances ?? []),
      ],
      ...votingPool(network.votingPoolId, accounts),
    },
    origin: originBlock(accounts.genesis.address, time),
  }
}

const votingPool = (id: Hash, accounts: GenesisAccounts) => ({
  stakePools: [{ id, owner: accounts.poolOwner.address, feeBps: 1000, name: 'Development pool' }],
  delegations: [
    { poolId: id, delegator: accounts.poolDelegate.address, amount: DELEGATED as bigint, reward: 0n },
  ],
})

const originBlock = (publisher: Address, time: number): KeyBlock => ({
  hash: ORIGIN_NAME,
  height: 0,
  time,
  publisher,
  nonce: 0,
  link: ORIGIN_NAME,
  sprout: ORIGIN_NAME,
  merkleRoot: '',
  targetDifficulty: 10,
})
