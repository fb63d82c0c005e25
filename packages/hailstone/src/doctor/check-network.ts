import type { Client } from '@hailstone/client'
import { isNodeError, type NetworkInfo, plainText } from '@hailstone/protocol'
import { masterPublicKeys } from '@hailstone/protocol/leader'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, failure, ok, skipped, unchecked, warning } from './finding.ts'

/** Largest tolerated difference between block time and local clock. */
const SKEW_LIMIT_MS = 120_000

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

/** Checks that the API answers, and reports its height. */
export async function checkApi({ client, signal }: DoctorContext): Promise<Finding> {
  const check = 'api'
  if (client === null)
    return unchecked({
      check,
      exit: 'configuration',
      what: 'No API was named: stake, token and rewards were not looked at.',
      nextStep: 'Name one with --api, or a network with --network.',
    })
  const from = performance.now()
  const height = await client.getHeight({ signal })
  return ok(
    check,
    `${client.apiUrl} answers in ${Math.round(performance.now() - from)} ms; height ${height}.`,
  )
}

/** Checks that the first block of the chain is that of the named network. */
export async function checkChain({ chosen, client, signal }: DoctorContext): Promise<Finding> {
  const check = 'network'
  const expected = chosen.network?.originHash
  if (client === null || expected === undefined)
    return skipped(check, 'No network was named to compare with.')
  const found = (await networkInfoOf(client, signal))?.origin.hash
  if (found === undefined)
    return unchecked({ check, exit: 'apiUnreachable', what: 'This API does not say how its chain begins.' })
  if (found === expected)
    return ok(check, `The chain begins with ${found}, as that of ${chosen.network?.name} does.`)
  const what = `The chain begins with ${found}; that of ${chosen.network?.name} begins with ${expected}.`
  return failure({ check, exit: 'wrongNetwork', what })
}

async function networkInfoOf(client: Client, signal: AbortSignal): Promise<NetworkInfo | null> {
  try {
    return await client.getNetworkInfo({ signal })
  } catch (error) {
    if (isNodeError(error, 'HTTP_STATUS') || isNodeError(error, 'RESPONSE_INVALID')) return null
    throw error
  }
}

/**
 * Checks that a miner of this network can verify the leader's signature of a beacon, and that the API names the same key.
 * A key that the API alone names is shown and not used: whoever names it names the leader.
 */
export async function checkLeaders({ chosen, client, signal }: DoctorContext): Promise<Finding> {
  const check = 'leaders'
  const { masterPublicKey: preset, name } = chosen.network ?? {}
  const known = typeof preset === 'string' ? masterPublicKeys[preset] : preset
  const named = client === null ? undefined : (await networkInfoOf(client, signal))?.masterPublicKey
  if (known === undefined)
    return skipped(
      check,
      named === undefined
        ? "No master key is known, so leaders' signatures cannot be verified."
        : `The API names a master key (x ${shortOf(named.x)}), and none is known beforehand: leaders' signatures are not verified.`,
    )
  if (named !== undefined && (named.x !== known.x || named.y !== known.y)) {
    const what = `The API names another master key than that of ${name}: x ${shortOf(named.x)} for ${shortOf(known.x)}. That of ${name} is used.`
    return warning({ check, exit: 'wrongNetwork', what })
  }
  const isNamed = named === undefined ? 'known' : 'known, and the one that the API names'
  return ok(
    check,
    `The master key of ${name} is ${isNamed}. Signatures: on, unsigned accepted until one is signed.`,
  )
}

/** The beginning of a coordinate is enough to tell keys apart. */
const shortOf = (coordinate: string): string => plainText(`${coordinate.slice(0, 14)}…`)

/** Compares this machine's clock with the newest block. Only a block of the future is proof. */
export async function checkClock({ client, nowMs, signal }: DoctorContext): Promise<Finding> {
  const check = 'clock'
  if (client === null) return skipped(check, 'Needs the API.')
  const [newest] = await client.getLastBlocks({ signal })
  if (newest === undefined) return skipped(check, 'The chain has no block to compare with yet.')
  const ageMs = nowMs() - newest.time * 1_000
  if (ageMs < -SKEW_LIMIT_MS) {
    const what = `The newest block is ${seconds(-ageMs)} in the future by the clock of this machine.`
    return failure({ check, exit: 'clockSkewed', what })
  }
  if (ageMs > SKEW_LIMIT_MS) {
    const what = `The newest block is ${seconds(ageMs)} old: the network is idle, or the clock of this machine is ahead.`
    return warning({ check, exit: 'clockSkewed', what })
  }
  return ok(check, `The newest block is ${seconds(Math.max(0, ageMs))} old.`)
}
