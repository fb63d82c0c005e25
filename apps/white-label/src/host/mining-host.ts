import type { Client, PaymentSummary } from '@hailstone/client'
import type { Address, MiningSnapshot } from '@hailstone/mining-node'
import type { ClientPort, MinerPort, PaymentsPort } from '@hailstone/react'
import type { AccountStore, Opening } from '../engine/account-store.ts'
import type { AccountCallName } from '../engine/local-calls.ts'
import type { ClientCallName } from '../engine/network-client.ts'
import type { ConsentProof } from '../engine/payment-consent.ts'
import type { RewardCalls } from '../engine/stored-rewards.ts'
import type { LeaderCalls } from '../engine/tab-rpc.ts'
import type { EngineConnection } from './engine-connection.ts'

type Asked<C> = C extends (...list: infer L) => Promise<infer R> ? (...list: L) => Promise<R> : never

/** Client actions, performed by the worker. */
export type RemoteClient = { readonly [Name in ClientCallName]: Asked<Client[Name]> }
type RemoteAccount = { readonly [Name in AccountCallName]: AccountStore[Name] }

/** Everything the screen can call. The worker holds the key, the sockets and the timers. */
export type MiningHost = {
  readonly engine: EngineConnection
  readonly miner: MinerPort
  readonly client: RemoteClient & ClientPort
  readonly payments: PaymentsPort
  readonly account: RemoteAccount
  readonly leader: Pick<
    LeaderCalls,
    'setAgent' | 'setPolicy' | 'setPayout' | 'resync' | 'refreshRewards' | 'readOlderRewards'
  >
  /** Counts the payments of an account that is not active and whose end is not known; null if that cannot be told. */
  readonly unsettledPayments: (address: Address) => Promise<number | null>
  /** Stored rewards. */
  readonly rewards: RewardCalls
  /**
   * Confirms one payment as it was shown. Call it before `consent` resolves with `true`.
   *
   * @throws {EngineError} `KEYSTORE_UNLOCK_FAILED` if the passphrase is wrong or the passkey opens nothing
   */
  readonly agree: (summary: PaymentSummary, opening: Opening, signal?: AbortSignal) => Promise<void>
}

/** Calls after which this browser has a key that must not be lost: the browser is asked to keep what is stored. */
const KEEPS_KEY: ReadonlySet<string> = new Set<AccountCallName>(['seal', 'importFile', 'storeUnprotected'])

export function createMiningHost(engine: EngineConnection): MiningHost {
  const remote = <T extends object>(call: (name: string, list: readonly unknown[]) => Promise<unknown>): T =>
    new Proxy({} as T, {
      get:
        (_, name) =>
        (...list: unknown[]) =>
          call(String(name), list),
    })
  const leaderCall = <Name extends keyof LeaderCalls>(
    name: Name,
    parameters: Parameters<LeaderCalls[Name]>[0],
  ): ReturnType<LeaderCalls[Name]> => engine.call(name, parameters) as ReturnType<LeaderCalls[Name]>

  const account = remote<RemoteAccount>(async (name, list) => {
    const signal = list.find((one) => one instanceof AbortSignal)
    const parameters = list.filter((one) => !(one instanceof AbortSignal))
    const answer = await engine.call(name, { parameters }, signal)
    // Firefox asks the person and answers when they do, which may be never.
    if (KEEPS_KEY.has(name)) void navigator.storage?.persist?.().catch(() => false)
    return answer
  })
  /** Proofs of consent by signing hash, until the payment is approved. */
  const proofs = new Map<string, ConsentProof>()

  return {
    engine,
    miner: {
      // Read only by components below an account.
      snapshot: () => engine.state()?.snapshot as unknown as MiningSnapshot,
      subscribe: engine.subscribe,
      start: () => leaderCall('start', undefined),
      stop: () => leaderCall('stop', undefined),
    },
    client: remote<RemoteClient>((name, [parameters]) => engine.call(name, withoutSignal(parameters))),
    payments: paymentsOf(engine, leaderCall, proofs),
    account,
    agree: async (summary, opening, signal) => {
      const proof = await account.consent(summary, opening, signal)
      if (!signal?.aborted) proofs.set(summary.signingHash, proof)
    },
    unsettledPayments: (address) => engine.call('unsettledPayments', address) as Promise<number | null>,
    rewards: remote<RewardCalls>((name, [given]) => engine.call(name, given)),
    leader: {
      setAgent: (agent) => leaderCall('setAgent', agent),
      setPolicy: (policy) => leaderCall('setPolicy', policy),
      setPayout: (agreed) => leaderCall('setPayout', agreed),
      resync: () => leaderCall('resync', undefined),
      refreshRewards: () => leaderCall('refreshRewards', undefined),
      readOlderRewards: (older) => leaderCall('readOlderRewards', older),
    },
  }
}

/** Removes the signal, which cannot be sent to another thread. */
function withoutSignal(parameters: unknown): unknown {
  if (typeof parameters !== 'object' || parameters === null) return parameters
  const { signal: _, ...rest } = parameters as { readonly signal?: unknown }
  return rest
}

type LeaderCall = <Name extends keyof LeaderCalls>(
  name: Name,
  parameters: Parameters<LeaderCalls[Name]>[0],
) => ReturnType<LeaderCalls[Name]>

/** Payments with consent given on the page; the leader verifies the proof and signs. */
function paymentsOf(
  engine: EngineConnection,
  leaderCall: LeaderCall,
  proofs: Map<string, ConsentProof>,
): PaymentsPort {
  return {
    pay: async ({ consent, to, amount, tokenId, memo }) => {
      const ticket = crypto.randomUUID()
      const parameters = { to, amount, tokenId, memo }
      const summary: PaymentSummary = await leaderCall('preparePayment', { ticket, parameters })
      const isAgreed = consent !== undefined && (await consent(summary))
      const proof = proofs.get(summary.signingHash) ?? ''
      proofs.delete(summary.signingHash)
      if (isAgreed) return { id: await leaderCall('approvePayment', { ticket, proof, id: summary.id }) }
      await leaderCall('declinePayment', ticket)
      throw Object.assign(new Error('The payment was not confirmed.'), { code: 'PAYMENT_DECLINED' })
    },
    list: () => engine.state()?.payments ?? [],
    // The subscriber reads the whole list again, so the event carries no details.
    subscribe: (listener) => engine.subscribe(() => listener({ type: 'journalFailed', reason: '' })),
  }
}
