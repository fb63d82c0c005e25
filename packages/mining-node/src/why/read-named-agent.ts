import type { Client } from '@hailstone/client'
import { type Address, isNodeError, parseAddress } from '@hailstone/protocol'
import type { NamedAgent } from './referral.ts'

/** Pages of ten rewards that are searched, and own microblocks that are opened. */
const MOST_PAGES = 5
const MOST_OPENED = 10
const OWN_MICROBLOCK = 'im'
/** Readings that prove that there is no own microblock: a node that is behind may lack the first ones. */
const ANSWERS = 4

type Reader = {
  readonly getRewards: (
    parameters: Parameters<Client['getRewards']>[0],
  ) => Promise<Awaited<ReturnType<Client['getRewards']>>>
  readonly getMicroblock: (
    parameters: Parameters<Client['getMicroblock']>[0],
  ) => Promise<Awaited<ReturnType<Client['getMicroblock']>>>
}

/** The agent in the newest own microblock, and since when; undefined where none was found. */
type Found = { readonly agent: Address | null; readonly sinceMs: number; readonly isAtLeast: boolean }

/**
 * Reads from the newest own microblocks which agent they name, and since when.
 *
 * @throws {NodeError} as `getRewards` and `getMicroblock`
 */
async function readNewest(client: Reader, address: Address): Promise<Found | 'none' | 'notRead'> {
  let found: Omit<Found, 'isAtLeast'> | null = null
  let opened = 0
  for (let page = 0; page < MOST_PAGES; page++) {
    const { records, isLast } = await client.getRewards({ address, page })
    for (const { recordType, hash, time } of records) {
      if (recordType !== OWN_MICROBLOCK) continue
      const { header } = (await client.getMicroblock({ hash })) ?? {}
      // A node that is behind does not have it yet. What newer ones say stays so.
      if (header === undefined) return found === null ? 'notRead' : { ...found, isAtLeast: true }
      if (found !== null && header.referralAgent !== found.agent) return { ...found, isAtLeast: false }
      found = { agent: header.referralAgent, sinceMs: time * 1_000 }
      if (++opened >= MOST_OPENED) return { ...found, isAtLeast: true }
    }
    // An empty page may be that of a node that has just started.
    if (isLast) return found === null ? 'none' : { ...found, isAtLeast: records.length === 0 }
  }
  return found === null ? 'notRead' : { ...found, isAtLeast: true }
}

/**
 * Reads whether the newest own microblocks in the chain name an agent, and since when: at most 50 rewards and ten microblocks.
 *
 * @param asked.agent undefined for whichever the newest one names
 * @returns the agent too: null if it names none, undefined if that is not known
 * @throws {NodeError} `ADDRESS_MALFORMED`
 */
export async function readNamedAgent(
  client: Reader,
  given: { readonly address: string; readonly agent?: string | null | undefined },
): Promise<{ readonly agent: Address | null | undefined; readonly named: NamedAgent }> {
  const address = parseAddress(given.address)
  const agent = typeof given.agent === 'string' ? parseAddress(given.agent) : given.agent
  try {
    let found = await readNewest(client, address)
    for (let read = 1; read < ANSWERS && found === 'none'; read++) found = await readNewest(client, address)
    if (found === 'none') return { agent, named: { status: 'none' } }
    if (found === 'notRead') {
      const why = 'no microblock of this account was found among the newest rewards that the API shows'
      return { agent, named: { status: 'unknown', why } }
    }
    const asked = agent === undefined ? found.agent : agent
    if (asked === null || asked !== found.agent) return { agent: asked, named: { status: 'other' } }
    const { sinceMs, isAtLeast } = found
    return { agent: asked, named: { status: 'named', sinceMs, isAtLeast } }
  } catch (error) {
    if (!isNodeError(error)) throw error
    return { agent, named: { status: 'unknown', why: 'the API did not answer' } }
  }
}
