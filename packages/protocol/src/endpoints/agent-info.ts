import { address, amount, count, orNull } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint, maybe } from './define-endpoint.ts'

const agentInfo = record({
  id: address,
  referralCount: ['ref_count', count],
  referralReward: ['ref_reward', orNull(amount)],
  keyBlockReward: ['k_reward', orNull(amount)],
  statBlockReward: ['s_reward', orNull(amount)],
  calculatedAt: ['lastcalc', count],
})

/** `GET /stat/agent_info`: figures of the last 24 hours; an empty body if they were never computed. */
export const agentInfoEndpoint = defineEndpoint({
  path: '/stat/agent_info',
  parameters: { address: maybe('address', 'id') },
  answer: agentInfo,
  mayBeEmpty: true,
})

/**
 * Figures of an account for 24 hours, computed by the node now and then: number of miners it referred, and its
 * rewards.
 */
export type AgentInfo = Value<typeof agentInfo>
