import { encodeWith } from '../schema/encode-with.ts'
import { address, anything, bareAmount, count, hash, optional, text } from '../schema/leaves.ts'
import { isWireObject, Mismatch, record, type Schema, type Value } from '../schema/record.ts'
import { defineEndpoint } from './define-endpoint.ts'
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
  /** Genesis address, receiver of contracts. */
  publisher: address,
  initialSupply: ['reward', bareAmount],
  hash,
  link: hash,
  sprout: hash,
  time: count,
})

type Origin = Value<typeof originRecord> & {
  /** Set if `reward` is a text, as on the test network; the main network writes a number of any size. */
  readonly isInitialSupplyText?: true | undefined
}

const origin: Schema<Origin> = {
  ...originRecord,
  read: (wire) => {
    const value = originRecord.read(wire)
    const isText = isWireObject(wire) && typeof wire.reward === 'string'
    return isText && !(value instanceof Mismatch) ? { ...value, isInitialSupplyText: true } : value
  },
  write: (value) => {
    const wire = encodeWith(originRecord, value)
    return value.isInitialSupplyText === true && isWireObject(wire)
      ? { ...(wire as object), reward: value.initialSupply.toString() }
      : wire
  },
}

const masterPublicKey = record({ x: text, y: text })

const microblockSlots = record({ size: count, count, minimumStake: ['min_stake', bareAmount] })

/** `GET /network_info`: constants of the network. Missing on old servers. */
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
    bridge: optional(anything),
  }),
})

/**
 * Constants of a network, the answer of `GET /network_info`. Shares are in ten-thousandths, amounts in native
 * units.
 */
export type NetworkInfo = Value<typeof networkInfoEndpoint.answer>
