import { type Client, createClient } from '@hailstone/client'
import { openAccountKeeper } from './account-keeper.ts'
import type { EngineConfig } from './engine-config.ts'
import type { BetweenTabs, FromEngine, ToEngine } from './engine-messages.ts'
import type { EngineState, PlainSnapshot } from './engine-state.ts'
import { answeredWhileShut, changing, isAccountCall, isAskable } from './local-calls.ts'
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
  const account = await openAccountKeeper({ storage, vaultName: `${name}-vault`, rules: config })
  const tabs = new BroadcastChannel(name)
  const self = crypto.randomUUID()
  /** What the owner was asked; asked again if this tab becomes the owner before it answered. */
  const asked = new Map<number, { readonly call: string; readonly given: unknown }>()
  let conditions = parameters.conditions
  let desk: MinerDesk | null = null
  /** Last state received from the owner. */
  let told: Omit<EngineState, 'tabLock'> | null = null
  let _telling: ReturnType<typeof setTimeout> | null = null

  const tell = (message: BetweenTabs): void => tabs.postMessage(message)
  const hasKey = async (): Promise<boolean> => (await account.wallet()) !== null

  /** Shows this tab what the owner says, and whether this tab is locked. */
  async function show(): Promise<void> {
    const tabLock = await account.tabLock()
    if (told !== null) post({ type: 'state', state: { ...told, tabLock } })
  }

  function tellState(): void {
    _telling ??= setTimeout(async () => {
      _telling = null
      if (desk === null) return
      const state = { isOwner: true, ...desk.state() }
      told = state
      await show()
      tell({ type: 'state', state: { ...state, isOwner: false }, hasKey: await hasKey() })
    }, GATHER_MS)
  }

  /** The key of this tab, or what is known of the account, is not what it was. */
  async function accountChanged(): Promise<void> {
    await desk?.reload()
    await show()
    // An owner without the key steps down for a tab that has it.
    if (desk === null) tell({ type: 'whoOwns' })
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
        told = { ...last, snapshot, isOwner: false }
        await show()
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
    if (call === 'lock' || call === 'cover') {
      tell({ type: call })
      return lockHere(call)
    }
    const value = await (account[call] as (...list: readonly unknown[]) => Promise<unknown>)(...list)
    if (!changing.has(call)) return value
    await accountChanged()
    tell({ type: 'accountChanged' })
    return value
  }

  async function assertNotShut(call: string): Promise<void> {
    if (!config.isShutWhileLocked || isAskable(call) || answeredWhileShut.has(call)) return
    if ((await account.tabLock()) !== 'open')
      throw new Error('The app is locked: enter the passphrase first.')
  }

  async function answer(id: number, call: string, given: unknown): Promise<void> {
    try {
      await assertNotShut(call)
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

  async function stepDown(): Promise<void> {
    if (desk === null || (await hasKey())) return
    await office.resign()
    office.apply()
  }

  async function hearOwner(message: Extract<BetweenTabs, { type: 'state' }>): Promise<void> {
    if (desk !== null) return
    told = { ...message.state, isOwner: false }
    await show()
    if (message.hasKey) return
    const { status } = message.state.account
    if (status !== 'none' && (await hasKey())) tell({ type: 'yield' })
  }

  /** A tab that does not mine needs no key while it asks for the passphrase. */
  async function lockHere(name: 'lock' | 'cover'): Promise<void> {
    const isMining = desk?.state().run.isWanted === true
    await account[name === 'cover' && isMining ? 'cover' : 'lock']()
    await accountChanged()
  }

  tabs.onmessage = ({ data }: MessageEvent<BetweenTabs>) => {
    if (data.type === 'state') void hearOwner(data)
    if (data.type === 'whoOwns' && desk !== null) tellState()
    if (data.type === 'yield') void stepDown()
    if (data.type === 'lock' || data.type === 'cover') void lockHere(data.type)
    if (data.type === 'accountChanged') void accountChanged()
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
