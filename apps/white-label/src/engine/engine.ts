import { type Client, createClient } from '@hailstone/client'
import { type AccountKeeper, openAccountKeeper } from './account-keeper.ts'
import type { EngineConfig } from './engine-config.ts'
import type { BetweenTabs, FromEngine, ToEngine } from './engine-messages.ts'
import type { EngineState, PlainSnapshot } from './engine-state.ts'
import { changing, isAccountCall, isAskable } from './local-calls.ts'
import { type MinerDesk, openMinerDesk } from './miner-desk.ts'
import type { DeviceConditions } from './mining-policy.ts'
import { createOffice } from './office.ts'
import { isOwnerCall, type OwnerCalls, ownerCalls } from './owner-calls.ts'
import { plainError } from './plain-error.ts'
import { openStorage } from './storage.ts'

/** What lives in the worker of one tab: the owner's desk, or the line to it. */
export type Engine = { readonly receive: (message: ToEngine) => void }

/** Between two owners nobody mines. */
const RESTING: PlainSnapshot['state'] = { status: 'idle', why: '', nextStep: '' }

/** Changes within this time are told as one. */
const GATHER_MS = 40

export async function createEngine(parameters: {
  readonly config: EngineConfig
  readonly conditions: DeviceConditions
  readonly post: (message: FromEngine) => void
}): Promise<Engine> {
  const { config, post } = parameters
  const name = `hailstone-${config.brandId}`
  const storage = await openStorage(name)
  const client: Client = createClient({ apiUrl: config.apiUrl })
  const account = await openAccountKeeper(storage, `${name}-vault`)
  const tabs = new BroadcastChannel(name)
  const self = crypto.randomUUID()
  /** What the owner was asked; asked again if this tab becomes the owner before it answered. */
  const asked = new Map<number, { readonly call: string; readonly given: unknown }>()
  let conditions = parameters.conditions
  let desk: MinerDesk | null = null
  let _telling: ReturnType<typeof setTimeout> | null = null

  if (config.isLockedAtStart) await lockWhenFirst(name, account)

  const tell = (message: BetweenTabs): void => tabs.postMessage(message)

  function tellState(): void {
    _telling ??= setTimeout(() => {
      _telling = null
      if (desk === null) return
      const state: EngineState = { isOwner: true, ...desk.state() }
      post({ type: 'state', state })
      tell({ type: 'state', state: { ...state, isOwner: false } })
    }, GATHER_MS)
  }

  const office = createOffice({
    name: `${name}-owner`,
    onElected: async () => {
      const mine = await openMinerDesk({ config, client, storage, account, conditions, onChange: tellState })
      desk = mine
      tellState()
      for (const [id, { call, given }] of asked) void answer(id, call, given)
      asked.clear()
      return async () => {
        desk = null
        const last = mine.state()
        await mine.close()
        // Whoever looks before another tab has taken over must not read that this one still mines.
        const snapshot = last.snapshot && { ...last.snapshot, state: RESTING }
        post({ type: 'state', state: { ...last, snapshot, isOwner: false } })
      }
    },
  })

  async function callOwner(own: MinerDesk, call: keyof OwnerCalls, given: unknown): Promise<unknown> {
    return (ownerCalls(own)[call] as (given: unknown) => Promise<unknown>)(given)
  }

  async function callHere(call: string, given: unknown): Promise<unknown> {
    if (isAskable(call)) return (client[call] as (given: unknown) => Promise<unknown>)(given ?? {})
    if (!isAccountCall(call)) throw new Error(`There is no call ${call}.`)
    const { parameters: list } = (given ?? { parameters: [] }) as { readonly parameters: readonly unknown[] }
    const value = await (account[call] as (...list: readonly unknown[]) => Promise<unknown>)(...list)
    if (changing.has(call)) {
      await desk?.reload()
      tell({ type: 'accountChanged' })
    }
    return value
  }

  async function answer(id: number, call: string, given: unknown): Promise<void> {
    try {
      if (isOwnerCall(call) && desk === null) {
        asked.set(id, { call, given })
        tell({ type: 'call', from: self, id, name: call, parameters: given })
        return
      }
      const value =
        isOwnerCall(call) && desk !== null ? await callOwner(desk, call, given) : await callHere(call, given)
      post({ type: 'answer', id, value })
    } catch (error) {
      post({ type: 'failure', id, error: plainError(error) })
    }
  }

  async function answerTab(message: Extract<BetweenTabs, { type: 'call' }>): Promise<void> {
    const { from: to, id, name: call, parameters: given } = message
    if (desk === null || !isOwnerCall(call)) return
    try {
      tell({ type: 'answer', to, id, value: await callOwner(desk, call, given) })
    } catch (error) {
      tell({ type: 'failure', to, id, error: plainError(error) })
    }
  }

  tabs.onmessage = ({ data }: MessageEvent<BetweenTabs>) => {
    if (data.type === 'state' && desk === null) post({ type: 'state', state: data.state })
    if (data.type === 'whoOwns' && desk !== null) tellState()
    if (data.type === 'accountChanged') void desk?.reload()
    if (data.type === 'call') void answerTab(data)
    if ((data.type === 'answer' || data.type === 'failure') && data.to === self && asked.delete(data.id)) {
      const { id } = data
      post(
        data.type === 'answer'
          ? { type: 'answer', id, value: data.value }
          : { type: 'failure', id, error: data.error },
      )
    }
  }

  office.apply()
  tell({ type: 'whoOwns' })

  return {
    receive: (message) => {
      if (message.type === 'call') void answer(message.id, message.name, message.parameters)
      if (message.type === 'conditions') {
        conditions = message.conditions
        void desk?.setConditions(conditions)
      }
      if (message.type === 'asleep') void office.resign()
      if (message.type === 'awake') {
        office.apply()
        tell({ type: 'whoOwns' })
      }
    },
  }
}

/** The first tab of a new visit forgets the opened key; tabs beside an open one do not. */
async function lockWhenFirst(name: string, account: AccountKeeper): Promise<void> {
  const alive = `${name}-alive`
  await navigator.locks.request(alive, { mode: 'exclusive', ifAvailable: true }, async (lock) => {
    const { status } = await account.state()
    if (lock !== null && status === 'open') await account.lock()
  })
  void navigator.locks.request(alive, { mode: 'shared' }, () => new Promise(() => undefined))
}
