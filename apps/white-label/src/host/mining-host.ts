import type { Client, PaymentSummary } from '@hailstone/client'
import type { MiningSnapshot } from '@hailstone/mining-node'
import type { ClientPort, MinerPort, PaymentsPort } from '@hailstone/react'
import type { AccountKeeper } from '../engine/account-keeper.ts'
import type { AccountCallName, AskableName } from '../engine/local-calls.ts'
import type { OwnerCalls } from '../engine/owner-calls.ts'
import type { ConsentProof } from '../engine/payment-consent.ts'
import type { EngineLine } from './engine-line.ts'

type Asked<C> = C extends (...list: infer L) => Promise<infer R> ? (...list: L) => Promise<R> : never

/** Questions to the network, answered through the worker. */
export type RemoteClient = { readonly [Name in AskableName]: Asked<Client[Name]> }
export type RemoteAccount = { readonly [Name in AccountCallName]: AccountKeeper[Name] }

/** What the screen may do: everything goes through the worker, which has the key, the sockets and the timers. */
export type MiningHost = {
  readonly line: EngineLine
  readonly miner: MinerPort
  readonly client: RemoteClient & ClientPort
  readonly payments: PaymentsPort
  readonly account: RemoteAccount
  readonly owner: Pick<OwnerCalls, 'setAgent' | 'setPolicy' | 'resync'>
  /**
   * Agrees to one payment as it was shown. Call before `consent` resolves with `true`.
   *
   * @throws {EngineError} `KEYSTORE_UNLOCK_FAILED` when it is not the passphrase
   */
  readonly agree: (summary: PaymentSummary, passphrase: string) => Promise<void>
}

export function createMiningHost(line: EngineLine): MiningHost {
  const remote = <T extends object>(call: (name: string, list: readonly unknown[]) => Promise<unknown>): T =>
    new Proxy({} as T, {
      get:
        (_, name) =>
        (...list: unknown[]) =>
          call(String(name), list),
    })
  const ownerCall = <Name extends keyof OwnerCalls>(
    name: Name,
    parameters: Parameters<OwnerCalls[Name]>[0],
  ): ReturnType<OwnerCalls[Name]> => line.call(name, parameters) as ReturnType<OwnerCalls[Name]>

  const account = remote<RemoteAccount>((name, list) => line.call(name, { parameters: list }))
  /** Proofs of consent by what is signed, until the payment is approved. */
  const proofs = new Map<string, ConsentProof>()

  return {
    line,
    miner: {
      // Drawn below an account only, where there is one.
      snapshot: () => line.state()?.snapshot as unknown as MiningSnapshot,
      subscribe: line.subscribe,
      start: () => ownerCall('start', undefined),
      stop: () => ownerCall('stop', undefined),
    },
    client: remote<RemoteClient>((name, [parameters]) => line.call(name, withoutSignal(parameters))),
    payments: paymentsOf(line, ownerCall, proofs),
    account,
    agree: async (summary, passphrase) => {
      proofs.set(summary.signingHash, await account.consent(summary, passphrase))
    },
    owner: {
      setAgent: (agent) => ownerCall('setAgent', agent),
      setPolicy: (policy) => ownerCall('setPolicy', policy),
      resync: () => ownerCall('resync', undefined),
    },
  }
}

/** A signal cannot travel to another thread. */
function withoutSignal(parameters: unknown): unknown {
  if (typeof parameters !== 'object' || parameters === null) return parameters
  const { signal: _, ...rest } = parameters as { readonly signal?: unknown }
  return rest
}

type OwnerCall = <Name extends keyof OwnerCalls>(
  name: Name,
  parameters: Parameters<OwnerCalls[Name]>[0],
) => ReturnType<OwnerCalls[Name]>

/** Payments whose consent is asked for here and which are signed there, where the proof of it is verified. */
function paymentsOf(line: EngineLine, ownerCall: OwnerCall, proofs: Map<string, ConsentProof>): PaymentsPort {
  return {
    pay: async ({ consent, to, amount, tokenId, memo }) => {
      const ticket = crypto.randomUUID()
      const parameters = { to, amount, tokenId, memo }
      const summary: PaymentSummary = await ownerCall('preparePayment', { ticket, parameters })
      const isAgreed = consent !== undefined && (await consent(summary))
      const proof = proofs.get(summary.signingHash) ?? ''
      proofs.delete(summary.signingHash)
      if (isAgreed) return { id: await ownerCall('approvePayment', { ticket, proof }) }
      await ownerCall('declinePayment', ticket)
      throw Object.assign(new Error('The payment was not confirmed.'), { code: 'PAYMENT_DECLINED' })
    },
    list: () => line.state()?.payments ?? [],
    // The store behind it asks for the list anew; what happened to one payment is in the list.
    subscribe: (listener) => line.subscribe(() => listener({ type: 'journalFailed', reason: '' })),
  }
}
