import { createHash } from 'node:crypto'
import { type Client, getMacroblock, type MacroblockInfo } from '@hailstone/client'
import type { WebhookFaults } from './webhook-faults.ts'

const LOOK_AGAIN_MS = 2_000
const LONGEST_PAUSE_MS = 15_000
const KIND = 'chain'

/** Where what keeps rewards from being told is reported. */
export type RewardFaults = Pick<WebhookFaults, 'begin' | 'end'>

/** Asks the node in use, and then each of the others: one that is pruned, or starts, does not have block 0. */
async function originOf(client: Client, signal: AbortSignal): Promise<MacroblockInfo | undefined> {
  const question = { height: 0, signal }
  const origin = await client.getMacroblock(question)
  if (origin !== undefined) return origin
  for (const transport of client.transport.nodes?.() ?? []) {
    const found = await getMacroblock({ ...client, transport }, question).catch(() => undefined)
    signal.throwIfAborted()
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Name of the place in the history of one chain: an account that mines on another network has another history there.
 * The name is made of block 0: an API that does not show block 0 is asked again, and reported until it does.
 */
export async function rewardCursorName(
  { client, faults }: { readonly client: Client; readonly faults?: RewardFaults | undefined },
  signal: AbortSignal,
): Promise<string> {
  for (let pauseMs = LOOK_AGAIN_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs)) {
    let why = 'no API node has block 0, which names the chain'
    try {
      const origin = await originOf(client, signal)
      if (origin !== undefined) {
        faults?.end(KIND)
        const { hash, publisher } = origin.keyBlock
        const chain = `${client.network.name} ${hash} ${publisher}`
        return `rewards-${createHash('sha256').update(chain).digest('hex').slice(0, 16)}`
      }
    } catch (error) {
      signal.throwIfAborted()
      why = `block 0, which names the chain, cannot be read: ${(error as Error).message.replace(/\.$/, '')}`
    }
    faults?.begin(KIND, { why, message: `Webhooks of rewards wait: ${why}. It is asked for again.` })
    await client.clock.sleep(pauseMs, signal)
  }
}
