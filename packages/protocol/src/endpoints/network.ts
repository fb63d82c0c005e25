import {
  address,
  bareAmount,
  count,
  decimal,
  dictionary,
  figure,
  list,
  only,
  optional,
  orNull,
  text,
  tokenId,
  yesOrNo,
} from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint, definePost, maybe } from './define-endpoint.ts'

/** `GET /stats`: names and values as the operator stores them; already rounded, each may be missing. */
export const statsEndpoint = defineEndpoint({
  path: '/stats',
  answer: dictionary(orNull(figure)),
})

/** `GET /ver`: application versions announced by the operator. */
export const versionEndpoint = defineEndpoint({
  path: '/ver',
  answer: record({
    minimumAppVersion: ['minApkVersion', optional(text)],
    maximumAppVersion: ['maxApkVersion', optional(text)],
    appUrl: ['apkUrl', optional(text)],
  }),
})

/** `GET /get_min_stake`: minimum native stake of a miner. */
export const minimumStakeEndpoint = defineEndpoint({
  path: '/get_min_stake',
  answer: record({ minimumStake: ['min_stake', bareAmount] }),
})

/** `GET /get_transfer_lock`: number of blocks until undelegated coins are free. */
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
  /** Percentages for a day, a week, thirty days and a year. */
  percent: optional(list(decimal)),
  units: ['enq', optional(list(decimal))],
})

/** `GET /roi_by_stake`: expected return of one stake, as doubles with rounding noise. */
export const returnOfStakeEndpoint = defineEndpoint({
  path: '/roi_by_stake',
  parameters: { stake: maybe('units', 'stake'), tokenId: maybe('tokenId', 'hash') },
  answer: expectedReturn,
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

/**
 * `POST /faucet` of a local network: true if test coins were sent. Empty if the node refused the payment. The public
 * test network takes the address alone.
 */
export const faucetEndpoint = definePost({
  path: '/faucet',
  body: record({
    address: ['pubkey', address],
    tokenId: ['token', optional(tokenId)],
    as: optional(only('agent')),
  }),
  answer: yesOrNo,
  mayBeEmpty: true,
})

/** Estimates of `GET /expected_return` in native units. */
export type ExpectedReturn = Value<typeof expectedReturn>
