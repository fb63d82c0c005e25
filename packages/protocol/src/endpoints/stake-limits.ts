import { bareAmount, orNull } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint } from './define-endpoint.ts'

/** `GET /referrer_stake`: minimum native balance of a referral agent. */
export const referrerStakeEndpoint = defineEndpoint({
  path: '/referrer_stake',
  answer: record({ referrerStake: ['referrer_stake', orNull(bareAmount)] }),
})

/** `GET /get_stake_limits`: limits of native stakes. */
export const stakeLimitsEndpoint = defineEndpoint({
  path: '/get_stake_limits',
  answer: record({
    minimumStake: ['min_stake', bareAmount],
    maximumStake: ['max_stake', bareAmount],
    defaultStake: ['default_stake', bareAmount],
  }),
})

/** Limits of native stakes in native units. */
export type StakeLimits = Value<typeof stakeLimitsEndpoint.answer>
