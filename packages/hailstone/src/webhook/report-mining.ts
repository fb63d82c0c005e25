import type { Client } from '@hailstone/client'
import type { CursorStore, MiningNode, Reward } from '@hailstone/mining-node'
import type { HealthWatch } from '@hailstone/mining-node/health'
import type { Hash } from '@hailstone/protocol'
import type { Outbox } from './outbox.ts'
import { reportRewards } from './report-rewards.ts'
import { openReportedState } from './reported-state.ts'
import type { RewardFaults } from './reward-faults.ts'
import type { WebhookEventName } from './webhook-settings.ts'

const LOOK_EVERY_MS = 1_000

/** Reports of a miner, until they are stopped. */
export type MiningReports = {
  /** Resolves when all events so far are stored. */
  readonly stop: () => Promise<void>
}

/**
 * Turns what happens to a miner into events for webhooks. Changes of readiness and stake are told once each, also when
 * the process was killed in between.
 *
 * @param parameters.outbox keeps events; what it rejects with is tried again
 */
export async function reportMining(parameters: {
  readonly node: MiningNode
  readonly health: Pick<HealthWatch, 'read'>
  readonly client: Client | undefined
  readonly address: Reward['address']
  readonly store: CursorStore
  readonly isWanted: (name: WebhookEventName) => boolean
  readonly outbox: Pick<Outbox, 'put' | 'has'>
  readonly faults?: RewardFaults | undefined
}): Promise<MiningReports> {
  const { node, health, client, address, store, isWanted, outbox, faults } = parameters
  const state = openReportedState({ owner: address, store, isWanted, outbox })
  let isStopped = false

  async function look(): Promise<void> {
    if (isStopped) return
    const { isReady, code, why, nextStep } = health.read()
    const whenNotReady = { address, code, why, nextStep }
    await state.lookAtReadiness({ isReady, whenReady: { address, code }, whenNotReady })
    await lookAtStake()
  }

  async function lookAtStake(): Promise<void> {
    const { warnings, balance, stakes, tokenId } = node.snapshot()
    if (balance === null || stakes === null) return
    const isStakeLow = warnings.some((warning) => warning.code === 'STAKE_TOO_LOW')
    const before = await state.read()
    if (isStakeLow === before.isStakeLow) return
    if (!isStakeLow) return state.keep({ ...before, isStakeLow })
    const minimumStake = stakes.token?.minimumStake ?? null
    const facts = { address, tokenId, balance: balance.amount, minimumStake }
    await state.change('lowStake', facts, { isStakeLow })
  }

  let openKeyBlock: Hash | undefined
  const leavePublished = node.on('published', ({ keyBlockHash }) => {
    openKeyBlock ??= keyBlockHash
  })
  const common = { client, address, store, isWanted, outbox, faults }
  const rewards = client && reportRewards({ ...common, client, openKeyBlock: () => openKeyBlock })

  const unsubscribe = node.on('stopped', ({ reason, why }) => {
    isStopped = true
    const { nextStep } = node.state
    void state.inTurn(() => state.change('stopped', { address, reason, why, nextStep }, { readiness: null }))
  })
  const timer = setInterval(() => state.inTurn(look), LOOK_EVERY_MS).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      unsubscribe()
      leavePublished()
      await state.inTurn(async () => undefined)
      await rewards?.stop()
    },
  }
}
