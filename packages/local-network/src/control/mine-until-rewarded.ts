import { type Address, type Hash, isAddress, NodeError } from '@hailstone/protocol'
import { type SettingKinds, wordsOf } from '@hailstone/runtime'
import { assertKinds } from '../assert-kinds.ts'
import type { CalculatedMacroblock } from '../chain/calculated-macroblock.ts'
import type { Listen } from '../chain/events.ts'
import type { NetworkEvents } from '../open-network.ts'
import { controlRefused } from './control-refused.ts'

/** An address, or anything that has one, such as a wallet or a mining node. */
export type WithAddress = string | { readonly address: string }

/** Reward of one microblock. */
export type MinedReward = {
  readonly address: Address
  readonly microblockHash: Hash
  /** Of the macroblock that the microblock is in. */
  readonly height: number
  /** Units of the mined token. */
  readonly amount: bigint
}

/** Options of `network.mineUntilRewarded`. */
export type MineUntilRewardedOptions = {
  /** Gives up after this long. @default 60000 */
  readonly timeoutMs?: number | undefined
  /** Cancels the wait; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** @throws {NodeError} `CONTROL_REFUSED`, `CONFIGURATION_INVALID`, `ARGUMENT_INVALID` */
export type MineUntilRewarded = (
  miner: WithAddress,
  options?: MineUntilRewardedOptions,
) => Promise<MinedReward>

/** Kinds of the options of a wait. */
export const kindsOfWait: SettingKinds<MineUntilRewardedOptions> = { timeoutMs: 'number', signal: 'signal' }

/** A miner's own microblock among the records of a macroblock (PROTOCOL 6.7). */
const OWN_MICROBLOCK = 'im'

/**
 * Makes `mineUntilRewarded`: closes the open macroblock as soon as it holds a microblock of the miner, also one that was
 * there before the call, until a macroblock pays it.
 */
export function createMineUntilRewarded(network: {
  readonly on: Listen<NetworkEvents>
  readonly closeNow: () => Promise<unknown>
  /** Publishers of the open macroblock so far. */
  readonly publishers: () => readonly string[]
  readonly minersOnline: () => readonly { readonly address: Address }[]
}): MineUntilRewarded {
  const { on, closeNow, publishers, minersOnline } = network
  return async (miner, options = {}) => {
    const address = addressOf(miner)
    assertKinds('of mineUntilRewarded', options, kindsOfWait)
    const { timeoutMs = 60_000, signal } = options
    return new Promise((resolve, reject) => {
      let refusal: string | null = null
      let isEnded = false
      const end = (settle: () => void): void => {
        isEnded = true
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        for (const leave of leaves) leave()
        settle()
      }
      const fail = (error: unknown): void => end(() => reject(error))
      // One macroblock for all microblocks that come while it is closed: another one would bury the reward.
      let isClosing = false
      const closeWithOwn = async (): Promise<void> => {
        if (isClosing || isEnded) return
        isClosing = true
        try {
          while (!isEnded && publishers().includes(address)) if ((await closeNow()) === null) break
        } catch (error) {
          fail(error)
        } finally {
          isClosing = false
        }
      }
      const abort = (): void => fail(signal?.reason)
      const timer = setTimeout(() => {
        const isOnline = minersOnline().some((one) => one.address === address)
        fail(controlRefused(`no macroblock paid ${address}: ${causeOf(isOnline, refusal)}`))
      }, timeoutMs)
      const leaves = [
        on('microblockAccepted', ({ publisher }) => {
          if (publisher === address) void closeWithOwn()
        }),
        on('publicationJudged', ({ address: of, reason }) => {
          if (of === address) refusal = reason
        }),
        on('macroblockClosed', (calculated) => {
          const reward = rewardIn(calculated, address)
          if (reward !== null) end(() => resolve(reward))
        }),
      ]
      signal?.addEventListener('abort', abort)
      if (signal?.aborted === true) abort()
      // Nothing else may be offered to the miner before that macroblock is closed.
      else void closeWithOwn()
    })
  }
}

const causeOf = (isOnline: boolean, refusal: string | null): string => {
  if (refusal !== null) return `its last publication was refused: ${wordsOf(refusal)}`
  if (!isOnline) return 'it is not connected to the gateway'
  return 'it signed nothing; is anything in the pool, and its stake high enough?'
}

function addressOf(miner: WithAddress): Address {
  const address: unknown = typeof miner === 'object' && miner !== null ? miner.address : miner
  if (typeof address === 'string' && isAddress(address)) return address
  const found = address === undefined ? 'nothing' : JSON.stringify(address)
  const expected = 'an address, or something with an address such as a wallet or a mining node'
  throw new NodeError('CONFIGURATION_INVALID', { path: 'miner', expected, found })
}

function rewardIn({ macroblock, closed }: CalculatedMacroblock, address: Address): MinedReward | null {
  const record = closed.report.records.find((one) => one.account === address && one.type === OWN_MICROBLOCK)
  if (record === undefined) return null
  const { height } = macroblock.keyBlock
  return { address, microblockHash: record.hash, height, amount: record.value }
}
