import {
  address,
  anything,
  bareAmount,
  count,
  decimal,
  dictionary,
  figure,
  hash,
  list,
  optional,
  orNull,
  text,
  tokenId,
  yesOrNo,
} from '../schema/leaves.ts'
import { isWireObject, Mismatch, record, type Schema, type Value } from '../schema/record.ts'
import { defineEndpoint, definePost, maybe } from './define-endpoint.ts'
import { tokenAnswer } from './tokens.ts'

const rewardRatio = record({
  proofOfStakeBps: ['pos', count],
  proofOfActivityBps: ['poa', count],
  proofOfWorkBps: ['pow', count],
  referralBps: ['ref', count],
})

const feeShares = record({
  genesisBps: ['gen_share', count],
  proofOfWorkBps: ['pow_share', count],
  leaderBps: ['ldr_share', count],
  proofOfStakeBps: ['pos_share', count],
})

const originRecord = record({
  /** The genesis address, receiver of contracts. */
  publisher: address,
  initialSupply: ['reward', bareAmount],
  hash,
  link: hash,
  sprout: hash,
  time: count,
})

type Origin = Value<typeof originRecord> & {
  /** Set where `reward` is a text, as on the test network; the main network writes a number of any size. */
  readonly isInitialSupplyText?: true | undefined
}

const origin: Schema<Origin> = {
  parts: originRecord.parts,
  read: (wire) => {
    const value = originRecord.read(wire)
    const isText = isWireObject(wire) && typeof wire.reward === 'string'
    return isText && !(value instanceof Mismatch) ? { ...value, isInitialSupplyText: true } : value
  },
  write: (value) => {
    const wire = originRecord.write(value)
    return value.isInitialSupplyText === true && isWireObject(wire)
      ? { ...(wire as object), reward: value.initialSupply.toString() }
      : wire
  },
}

const masterPublicKey = record({ x: text, y: text })

const microblockSlots = record({ size: count, count, minimumStake: ['min_stake', bareAmount] })

/** `GET /network_info`: the constants of the network. Old servers do not have it. */
export const networkInfoEndpoint = defineEndpoint({
  path: '/network_info',
  answer: record({
    blockTimeSeconds: ['target_speed', count],
    rewardRatio: ['reward_ratio', rewardRatio],
    transferLockBlocks: ['transfer_lock', count],
    poolMinimumStake: ['pos_min_stake', bareAmount],
    nativeToken: ['native_token', optional(tokenAnswer)],
    origin,
    feeShares: ['fee_shares', feeShares],
    masterPublicKey: ['MPK', optional(masterPublicKey)],
    microblockSlots: ['mblock_slots', optional(microblockSlots)],
    exchange: ['dex', optional(anything)],
  }),
})

/** `GET /stats`: names and values as the operator keeps them; already rounded, every one may be missing. */
export const statsEndpoint = defineEndpoint({
  path: '/stats',
  answer: dictionary(orNull(figure)),
})

/** `GET /ver`: application versions the operator announces. */
export const versionEndpoint = defineEndpoint({
  path: '/ver',
  answer: record({
    minimumAppVersion: ['minApkVersion', optional(text)],
    maximumAppVersion: ['maxApkVersion', optional(text)],
    appUrl: ['apkUrl', optional(text)],
  }),
})

/** `GET /referrer_stake`: least native balance of a referral agent. */
export const referrerStakeEndpoint = defineEndpoint({
  path: '/referrer_stake',
  answer: record({ referrerStake: ['referrer_stake', orNull(bareAmount)] }),
})

/** `GET /get_min_stake`: least native balance of a miner. */
export const minimumStakeEndpoint = defineEndpoint({
  path: '/get_min_stake',
  answer: record({ minimumStake: ['min_stake', bareAmount] }),
})

/** `GET /get_stake_limits`: native stakes. */
export const stakeLimitsEndpoint = defineEndpoint({
  path: '/get_stake_limits',
  answer: record({
    minimumStake: ['min_stake', bareAmount],
    maximumStake: ['max_stake', bareAmount],
    defaultStake: ['default_stake', bareAmount],
  }),
})

/** `GET /get_transfer_lock`: blocks until undelegated coins are free. */
export const transferLockEndpoint = defineEndpoint({
  path: '/get_transfer_lock',
  answer: record({ transferLockBlocks: ['transfer_lock', count] }),
})

/** `GET /roi`: stake, and stake plus the expected reward of one day. */
export const returnsEndpoint = defineEndpoint({
  path: '/roi',
  parameters: { tokenId: maybe('tokenId', 'hash') },
  answer: list(record({ stake: bareAmount, stakeAfterOneDay: ['roi', bareAmount] })),
})

const expectedReturn = record({
  error: optional(count),
  message: ['msg', optional(text)],
  tokenId: ['hash', optional(tokenId)],
  /** For a day, a week, thirty days, a year. */
  percent: optional(list(decimal)),
  units: ['enq', optional(list(decimal))],
})

/** `GET /roi_by_stake`: the expected return of one stake, as doubles with rounding noise. */
export const returnOfStakeEndpoint = defineEndpoint({
  path: '/roi_by_stake',
  parameters: { stake: maybe('units', 'stake'), tokenId: maybe('tokenId', 'hash') },
  answer: expectedReturn,
})

/** `GET /poa_nodes_online`: one entry for each miner that hailed. */
export const minersOnlineEndpoint = defineEndpoint({
  path: '/poa_nodes_online',
  answer: list(
    record({
      address: ['key', text],
      countryName: ['country_name', orNull(text)],
      countryCode: ['country_code', orNull(text)],
    }),
  ),
})

/** `GET /peer_map`: nodes by city; type 0 full node, 1 proof of work, 2 proof of activity, 3 proof of stake. */
export const peerMapEndpoint = defineEndpoint({
  path: '/peer_map',
  answer: list(
    record({
      type: count,
      city: orNull(text),
      latitude: ['lat', orNull(decimal)],
      longitude: ['lon', orNull(decimal)],
      count,
    }),
  ),
})

/** `GET /contract_pricelist`: native units by contract name. */
export const contractPricesEndpoint = defineEndpoint({
  path: '/contract_pricelist',
  answer: dictionary(bareAmount),
})

/** `POST /faucet` of a local network: whether test coins were sent. Empty when the node refused the payment. */
export const faucetEndpoint = definePost({
  path: '/faucet',
  body: record({ address: ['pubkey', address] }),
  answer: yesOrNo,
  mayBeEmpty: true,
})

export type NetworkInfo = Value<typeof networkInfoEndpoint.answer>
export type ExpectedReturn = Value<typeof expectedReturn>
export type StakeLimits = Value<typeof stakeLimitsEndpoint.answer>
