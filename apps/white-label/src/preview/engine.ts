import type { EngineConfig } from '../engine/engine-config.ts'
import type { FromEngine, ToEngine } from '../engine/engine-messages.ts'
import type { EngineState, PlainSnapshot } from '../engine/engine-state.ts'
import type { PayoutSetting } from '../engine/payout-setting.ts'
import type { RemoteClient } from '../host/mining-host.ts'
import { previewRewards, rewardCalls } from './preview-rewards.ts'
import { decimalsOf, previewState, wholeOf } from './preview-state.ts'
import type { Previewed } from './previewed.ts'

// The engine of a phone in the partner's preview: the app is the real one, and this worker answers it in the place of
// the engine that has key, network and storage. No build of a brand has it.

type Scope = {
  onmessage: ((event: MessageEvent<ToEngine>) => void) | null
  readonly postMessage: (message: FromEngine) => void
  /** Written before this script by the server of the preview. */
  readonly previewed: Previewed
}
const scope = self as unknown as Scope
const { screen, address, values = {} } = scope.previewed

const REFUSED = 'The preview has no wallet and no network: this needs the built app.'
const counts = { empty: 0, firstReward: 1 } as const

type Answers = Readonly<Record<string, (given: never) => unknown>>
type Transactions = Awaited<ReturnType<RemoteClient['getTransactions']>>
type TransactionRow = Transactions['records'][number]

/** Returns transfers of this week, newest first: two received and one sent. */
function transfers({ tokenId }: EngineConfig, whole: bigint, nowMs: number): readonly TransactionRow[] {
  if (screen === 'empty') return []
  const common = { data: '', status: 'confirmed', tokenId, feeType: 0, feeValue: 0n, feeMinimum: 0n }
  return [
    { recordType: 'iout', amount: 12n * whole, hours: 5 },
    { recordType: 'iin', amount: 40n * whole, hours: 29 },
    { recordType: 'iin', amount: 72n * whole, hours: 90 },
  ].map(({ hours, ...one }, at) => ({
    ...common,
    ...one,
    index: 900 - at,
    hash: (at + 7).toString(16).padStart(64, '0'),
    time: Math.floor(nowMs / 1000) - hours * 3600,
  })) as unknown as readonly TransactionRow[]
}

function open(config: EngineConfig): (call: string, given: unknown) => Promise<unknown> {
  const nowMs = Date.now()
  const whole = wholeOf(config)
  const count =
    values.rewards ?? (screen === 'empty' || screen === 'firstReward' ? counts[screen] : undefined)
  const each = values.reward === undefined ? undefined : BigInt(values.reward)
  const rewards = previewRewards({ address, whole, nowMs, count, each })
  const own = address as PlainSnapshot['address']
  let state: EngineState = previewState({ screen, address: own, config, rewards, nowMs, values })
  const post = (change: Partial<EngineState> = {}): void => {
    state = { ...state, ...change }
    scope.postMessage({ type: 'state', state })
  }
  const idle = { status: 'idle', why: '', nextStep: '' } as const
  const mining = { status: 'mining', published: 1, why: '', nextStep: '' } as const
  const run = (isWanted: boolean): void => {
    const { snapshot } = state
    post({
      run: { ...state.run, isWanted },
      snapshot: snapshot && { ...snapshot, state: isWanted && screen !== 'offline' ? mining : idle },
    })
  }
  const token = {
    ...{ id: config.tokenId, symbol: 'TOKEN', decimals: decimalsOf(config), isMineable: true },
    ...{ feeType: 0, feeValue: 0n, feeMinimum: 0n, minimumStake: 25n * whole, referrerStake: null },
  }
  const answers: Answers = {
    ...rewardCalls(rewards),
    start: () => run(true),
    stop: () => run(false),
    setAgent: (agent: EngineState['agent']) => post({ agent }),
    setPolicy: (policy: EngineState['policy']) => post({ policy }),
    setPayout: (agreed: PayoutSetting | null) => post({ payout: agreed && { setting: agreed, why: null } }),
    resync: () => undefined,
    refreshRewards: () => undefined,
    readOlderRewards: () => undefined,
    getToken: () => token,
    getNativeToken: () => token,
    getNativeTokenId: () => config.tokenId,
    getMinersOnline: () => Array.from({ length: 214 }, () => ({ address })),
    getHeight: () => state.snapshot?.height?.value,
    getTransactions: () => ({
      ...{ address, page: 0, balance: 0n, isLast: true },
      records: transfers(config, each ?? whole, nowMs),
    }),
  }
  post()
  return async (call, given) => {
    const answer = Object.hasOwn(answers, call) ? answers[call] : undefined
    if (values.leavesOpen?.includes(call) === true) return new Promise(() => {})
    const isAway = (screen === 'offline' || values.knowsNothing === true) && call.startsWith('get')
    if (answer === undefined || isAway || values.refuses?.includes(call) === true) throw new Error(REFUSED)
    return answer(given as never)
  }
}

let answer: ReturnType<typeof open> | null = null

scope.onmessage = ({ data }) => {
  if (data.type === 'open') answer ??= open(data.config)
  if (data.type === 'ping') scope.postMessage({ type: 'alive' })
  if (data.type !== 'call') return
  const { id, name, parameters } = data
  answer?.(name, parameters).then(
    (value) => scope.postMessage({ type: 'answer', id, value }),
    ({ message }: Error) =>
      scope.postMessage({ type: 'failure', id, error: { code: 'UNKNOWN', message, facts: {} } }),
  )
}
