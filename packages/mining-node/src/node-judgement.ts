import type { Sessions } from './create-mining-session.ts'
import type { EventHub } from './events.ts'
import { holdReason, waitsInDoubt } from './hold-reason.ts'
import type { MiningNodeParameters } from './mining-node.ts'
import { leaderStatus } from './mining-settings.ts'
import { miningState } from './mining-state.ts'
import { endAt, freshKnowledge, type NodeKnowledge, warningsAt } from './node-knowledge.ts'
import type { InTurn } from './serial-queue.ts'
import { gatewayViews } from './session/gateway-views.ts'
import type { HoldReason } from './session/state.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import type { WritableStore } from './store/mining-store.ts'

/** The knowledge of a node, and what follows from it. */
export type NodeJudgement = {
  readonly known: () => NodeKnowledge
  readonly learn: (change: Partial<NodeKnowledge>) => void
  /** State, warnings and what the session is to do follow from what session and API said: here and nowhere else. */
  readonly derive: () => void
  /** The reason for holding back, or null. */
  readonly heldBy: () => HoldReason | null
}

/** The parts of one node. */
export type NodeParts = {
  readonly parameters: MiningNodeParameters
  readonly sessions: Sessions
  readonly store: WritableStore<MiningSnapshot>
  readonly events: EventHub
  readonly hasApi: boolean
  readonly inTurn: InTurn
}

/** @param behind says that the API is behind the gateway; null while it is not known to be */
export function judgeNode(
  { parameters, sessions, store, inTurn }: NodeParts,
  behind: () => string | null,
): NodeJudgement {
  let known = freshKnowledge(parameters)
  const heldBy = (): HoldReason | null => holdReason(known, store.snapshot())

  function derive(): void {
    const before = store.snapshot()
    const { stakes: facts, balance, lastRefusal, othersMined, gateways } = before
    const session = sessions.current()
    const status = leaderStatus(parameters, sessions.leader)
    const warnings = warningsAt(known, before, behind())
    const state = miningState({
      session: session?.state() ?? { status: 'idle' },
      facts,
      warnings,
      isBalanceKnown: balance !== null,
      refusal: lastRefusal?.why ?? null,
      othersMined,
    })
    store.update(
      changesOf(before, {
        leaderCheck: { ...before.leaderCheck, status },
        warnings,
        state,
        gateways: session === null ? gateways : gatewayViews(session.session(), sessions.clock.now()),
      }),
    )
    obey()
  }

  /** Stops, holds or releases the session. */
  function obey(): void {
    const session = sessions.current()
    if (endAt(known) !== null && session?.state().status !== 'stopped')
      return void inTurn(async () => sessions.current()?.stop(endAt(known) ?? undefined))
    const reason = heldBy()
    if (reason === null) session?.feed({ type: 'released', withOthers: waitsInDoubt(session.state()) })
    else session?.feed({ type: 'held', reason })
  }

  return {
    known: () => known,
    learn: (change) => {
      known = { ...known, ...change }
    },
    derive,
    heldBy,
  }
}

/** Returns the values in which something changed, so that subscribers are not called for others. */
const changesOf = (before: MiningSnapshot, now: Partial<MiningSnapshot>): Partial<MiningSnapshot> =>
  Object.fromEntries(
    Object.entries(now).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof MiningSnapshot]),
    ),
  )
