import {
  allTokenNamesEndpoint,
  contractPricesEndpoint,
  faucetEndpoint,
  minersOnlineEndpoint,
  minimumStakeEndpoint,
  nativeTokenEndpoint,
  networkInfoEndpoint,
  peerMapEndpoint,
  referrerStakeEndpoint,
  returnOfStakeEndpoint,
  returnsEndpoint,
  stakeLimitsEndpoint,
  statsEndpoint,
  tokenEndpoint,
  tokenNamesEndpoint,
  transferLockEndpoint,
  versionEndpoint,
} from '../endpoints/index.ts'
import type { ReferenceGroup } from './endpoint-reference.ts'
import { type Meanings, tokenMeanings, under } from './meanings.ts'

const nameMeanings: Meanings = {
  hash: 'Identifier of the token.',
  ticker: 'Short name, not unique.',
  caption: 'Long name, or null.',
}

export const tokenReference: ReferenceGroup = {
  name: 'Tokens',
  description: 'The coins of the network.',
  endpoints: [
    {
      endpoint: tokenEndpoint,
      summary: 'One token',
      description: 'A list with one token; empty when it is unknown.',
      parameters: { hash: 'Identifier of the token, 64 hex digits in either case.' },
      answer: under('[].', tokenMeanings),
    },
    {
      endpoint: nativeTokenEndpoint,
      summary: 'The native token',
      description: 'One object, not a list; an empty body when the network has no such row.',
      answer: tokenMeanings,
    },
    {
      endpoint: tokenNamesEndpoint,
      summary: 'Names of all tokens',
      answer: under('[].', nameMeanings),
    },
    {
      endpoint: allTokenNamesEndpoint,
      summary: 'Names of all tokens, for wallets',
      description:
        'The same as `/get_tickers_all`. On the public network that one is meant to be filtered by its operator; wallets ask for this one.',
      answer: under('[].', nameMeanings),
    },
  ],
}

const BARE = 'In native units (10^10 are one coin), always a number; it can exceed 9007199254740991.'

const networkMeanings: Meanings = {
  target_speed: 'Seconds from one macroblock to the next.',
  reward_ratio: 'How the block reward is divided, in ten-thousandths.',
  'reward_ratio.pos': 'Proof of stake, ten-thousandths.',
  'reward_ratio.poa': 'Proof of activity, ten-thousandths.',
  'reward_ratio.pow': 'Proof of work (key block), ten-thousandths.',
  'reward_ratio.ref':
    'Referral part, ten-thousandths; for information only, `ref_share` of the token decides.',
  transfer_lock: 'Blocks until undelegated coins are free.',
  pos_min_stake: `Least stake of a proof-of-stake pool. ${BARE}`,
  native_token: 'The native token, as in `/native_token`.',
  ...under('native_token.', tokenMeanings),
  origin: 'The origin block and the genesis account.',
  'origin.publisher': 'The genesis address: owns the native token and receives contracts.',
  'origin.reward': `Supply at the beginning. ${BARE}`,
  'origin.hash': 'Name of the origin block.',
  'origin.link': 'Name of the origin block.',
  'origin.sprout': 'Name of the branch.',
  'origin.time': 'Time of the origin block, Unix seconds.',
  fee_shares: 'How the collected fees are divided, in ten-thousandths.',
  'fee_shares.gen_share': 'Genesis account, ten-thousandths.',
  'fee_shares.pow_share': 'Publisher of the key block, ten-thousandths.',
  'fee_shares.ldr_share': 'Leader, ten-thousandths; nobody gets it, it becomes dust.',
  'fee_shares.pos_share': 'Stake pools, ten-thousandths.',
  MPK: 'Master public key of the leader; absent where the leader signs nothing.',
  'MPK.x': 'Coordinate x: degree and decimal coefficients.',
  'MPK.y': 'Coordinate y: degree and decimal coefficients.',
  mblock_slots: 'Places for microblocks that belong to token owners.',
  'mblock_slots.size': 'Microblocks in one place.',
  'mblock_slots.count': 'Number of places.',
  'mblock_slots.min_stake': `Native balance an owner must exceed to have one. ${BARE}`,
  dex: 'Settings of the exchange of the public network; empty here.',
  bridge: 'Settings of the bridge of newer nodes; empty here.',
}

export const networkReference: ReferenceGroup = {
  name: 'Network',
  description: 'Constants, figures and who is online.',
  endpoints: [
    {
      endpoint: networkInfoEndpoint,
      summary: 'Constants of the network',
      answer: networkMeanings,
    },
    {
      endpoint: statsEndpoint,
      summary: 'Figures of the network',
      description:
        'One flat object. Every member may be missing; do not compute with figures that are rounded.',
      answer: {
        '*': 'By name: `height`; `accounts` with a native balance; `csup` and `tsup`, circulating and total supply in units; `tps` and `max_tps`, transactions a second; `poa_count` miners online, `poa_capable_count` accounts that may mine; `pos_total_count` and `pos_active_count` stake pools; `reward_poa`, `reward_pow`, `reward_pos` paid in a day, units; `total_daily_stake` of the miners of a day, `total_daily_pos_stake` at active pools, `engaged_balance` both, units; `referrer_stake` in units; `difficulty` as text; `block_time_target` in seconds.',
      },
    },
    {
      endpoint: versionEndpoint,
      summary: 'Versions of the mobile application',
      description: 'Empty where the operator announces none.',
      answer: {
        minApkVersion: 'Oldest version that may be used, dotted.',
        maxApkVersion: 'Newest version, dotted.',
        apkUrl: 'Where to get it.',
      },
    },
    {
      endpoint: referrerStakeEndpoint,
      summary: 'Least native balance of a referral agent',
      answer: { referrer_stake: `Least balance. ${BARE} Null when not configured.` },
    },
    {
      endpoint: minimumStakeEndpoint,
      summary: 'Least native balance of a miner',
      answer: { min_stake: `Least balance. ${BARE}` },
    },
    {
      endpoint: stakeLimitsEndpoint,
      summary: 'Limits of the native stake',
      answer: {
        min_stake: `Least balance of a miner. ${BARE}`,
        max_stake: `What counts at most; more earns no more. ${BARE}`,
        default_stake: `Suggested stake. ${BARE}`,
      },
    },
    {
      endpoint: transferLockEndpoint,
      summary: 'Lock of undelegated coins',
      answer: { transfer_lock: 'Blocks until undelegated coins are free.' },
    },
    {
      endpoint: returnsEndpoint,
      summary: 'Expected return of a day by stake',
      description:
        'Ascending by stake. Here the expected value if the pool is shared with the miners of the moment; empty while nobody mines and for other tokens than the native one.',
      parameters: { hash: 'Identifier of the token; the native one when absent.' },
      answer: under('[].', {
        stake: `The stake. ${BARE}`,
        roi: `The stake plus the expected reward of one day (5760 blocks). ${BARE}`,
      }),
    },
    {
      endpoint: returnOfStakeEndpoint,
      summary: 'Expected return of one stake',
      description: 'Read off the table of `/roi` or between two of its lines; doubles with rounding noise.',
      parameters: {
        stake: 'Stake in units.',
        hash: 'Identifier of the token; the native one when absent.',
      },
      answer: {
        error: '1 when there is no answer; else absent.',
        msg: 'Why there is no answer; else absent.',
        hash: 'Identifier of the token.',
        percent: 'Expected reward in percent of the stake for 1, 7, 30 and 365 days.',
        enq: 'Expected reward in units for 1, 7, 30 and 365 days.',
      },
      unknown: 'No returns are known for that token.',
    },
    {
      endpoint: minersOnlineEndpoint,
      summary: 'Miners that are connected',
      answer: under('[].', {
        key: 'Address of the miner.',
        country_name: 'Country of its connection, or null.',
        country_code: 'Two letters of the country, or null.',
      }),
    },
    {
      endpoint: peerMapEndpoint,
      summary: 'Nodes by place',
      answer: under('[].', {
        type: '0 full node, 1 proof of work, 2 proof of activity, 3 proof of stake.',
        city: 'City, or null.',
        lat: 'Latitude in degrees, or null.',
        lon: 'Longitude in degrees, or null.',
        count: 'How many.',
      }),
    },
    {
      endpoint: contractPricesEndpoint,
      summary: 'Prices of contracts',
      answer: { '*': `Price of the contract on top of the fee, by its name. ${BARE}` },
    },
  ],
}

export const faucetReference: ReferenceGroup = {
  name: 'Faucet',
  description: 'Test coins; local and test networks alone.',
  endpoints: [
    {
      endpoint: faucetEndpoint,
      summary: 'Sends test coins to an account',
      description:
        'JSON or a form. Gives the minimum stake of a token that this network lets people mine; with another token than the native one, native coins for the fees of ten payments come along. Answers `true` when ordinary transactions were sent, `false` when the account was served a short while ago, or nobody whose key the network knows holds enough: the owner of the token, or the faucet, to which its owner can send some.',
      body: {
        pubkey: 'Address that gets the coins.',
        token: 'Identifier of the token to be mined; the native one when absent.',
        as: '`agent` for the least balance of a referral agent, which is higher; a miner when absent.',
      },
      answer: {},
      missing:
        '`pubkey` is missing or no address, `token` is no identifier or cannot be mined, or `as` is another word.',
      unknown: 'The network knows no such token.',
    },
  ],
}
