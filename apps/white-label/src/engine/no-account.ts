import type { EngineConfig } from './engine-config.ts'
import type { AccountState } from './engine-state.ts'
import type { MiningController } from './mining-controller.ts'
import type { LeaderCalls } from './tab-rpc.ts'

const nothing = async (): Promise<void> => undefined
const refuse = async (): Promise<never> => {
  throw new Error('There is no account.')
}

/** All calls that any tab may send to the leading tab, as they are answered without an account. */
const NO_CALLS: LeaderCalls = {
  start: refuse,
  stop: nothing,
  setAgent: refuse,
  setPolicy: refuse,
  setPayout: refuse,
  resync: nothing,
  refreshRewards: nothing,
  readOlderRewards: nothing,
  preparePayment: refuse,
  approvePayment: refuse,
  declinePayment: refuse,
}

export const isLeaderCall = (name: string): name is keyof LeaderCalls => Object.hasOwn(NO_CALLS, name)

/** Stands for the controller before the first account is stored, so that the first page does not load its code. */
export async function openWithoutAccount({
  config: { defaultAgent, policy },
  readState,
  onChange,
}: {
  readonly config: EngineConfig
  readonly readState: () => Promise<AccountState>
  readonly onChange: () => void
}): Promise<MiningController> {
  let account = await readState()
  return {
    address: null,
    state: () => ({
      account,
      snapshot: null,
      run: { isWanted: false, minedTime: null, pause: null, lastSignedAtMs: null },
      rewards: null,
      agent: defaultAgent,
      policy,
      payments: [],
      log: [],
    }),
    calls: NO_CALLS,
    setConditions: nothing,
    reload: async () => {
      const next = await readState()
      // With an account another controller follows.
      if (next.status === 'none') account = next
      onChange()
    },
    close: nothing,
  }
}
