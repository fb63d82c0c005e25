import type { Reward } from '@hailstone/mining-node'
import type { Participant } from './participants.ts'

/** The first reward of the miner and the first referral reward of the agent, both seen on chain. */
export type FirstRewards = { readonly reward: Reward; readonly referralReward: Reward }

const next = (
  { node }: Participant,
  event: 'rewarded' | 'referralRewarded',
  role: Reward['role'],
): Promise<Reward> =>
  new Promise((resolve) => {
    const off = node.on(event, (reward) => {
      if (reward.role !== role) return
      off()
      resolve(reward)
    })
  })

/**
 * Waits for both.
 *
 * @throws a sentence that says what was missing when the time is over
 */
export async function firstRewards(parameters: {
  readonly agent: Participant
  readonly miner: Participant
  readonly timeLimitMs: number
  /** Nobody waits any more: then it never resolves, and keeps nothing alive. */
  readonly signal: AbortSignal
}): Promise<FirstRewards> {
  const { agent, miner, timeLimitMs, signal } = parameters
  const seen: Partial<Record<'reward' | 'referralReward', Reward>> = {}
  const both = Promise.all([
    next(miner, 'rewarded', 'miner').then((reward) => (seen.reward = reward)),
    next(agent, 'referralRewarded', 'agent').then((reward) => (seen.referralReward = reward)),
  ])
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(missing(seen, parameters))), timeLimitMs)
    signal.addEventListener('abort', () => clearTimeout(timer))
  })
  try {
    const [reward, referralReward] = await Promise.race([both, late])
    return { reward, referralReward }
  } finally {
    clearTimeout(timer)
  }
}

function missing(
  seen: Partial<Record<'reward' | 'referralReward', Reward>>,
  { agent, miner, timeLimitMs }: Parameters<typeof firstRewards>[0],
): string {
  const lacking = [seen.reward ? [] : ['reward'], seen.referralReward ? [] : ['referral reward']].flat()
  return (
    `No ${lacking.join(' and no ')} within ${timeLimitMs / 1000} s. ` +
    `The miner is ${miner.node.state.status}: ${miner.node.state.why}. ` +
    `The agent is ${agent.node.state.status}: ${agent.node.state.why}.`
  )
}
