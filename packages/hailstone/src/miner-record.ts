import { type Address, isAddress, keystoreError } from '@hailstone/protocol'
import { type ProcessPlace, runningProcesses, takeProcessPlace } from '@hailstone/runtime/node'

/** One process that mines with a key, and where its health is asked for. */
export type MinerRecord = {
  readonly address: Address
  readonly processId: number | null
  /** Null without a health port. */
  readonly healthUrl: string | null
}

/**
 * Takes the key for this process: a second miner of the same key on this machine would only evict the first, over
 * and over. The lock of a process that was killed is recovered.
 *
 * @throws {NodeError} `KEY_IN_USE` with the number of the process that has it
 */
export async function lockKey(folder: string, address: Address): Promise<ProcessPlace> {
  const taken = await takeProcessPlace({ folder, program: 'miner', name: address })
  if (!('release' in taken)) throw keystoreError('KEY_IN_USE', { address, ...taken })
  return taken
}

/**
 * Miners of this machine that still run, in no order.
 *
 * @throws the error of a folder that exists and cannot be read: nobody can say then that no miner runs
 */
export async function runningMiners(folder: string): Promise<readonly MinerRecord[]> {
  const processes = await runningProcesses(folder)
  return processes.flatMap(({ name, processId, healthUrl }) =>
    isAddress(name) ? [{ address: name, processId, healthUrl }] : [],
  )
}
