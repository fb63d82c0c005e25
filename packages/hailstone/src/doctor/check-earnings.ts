import type { Client } from '@hailstone/client'
import { readSeen, type Seen, seenSentence } from '@hailstone/mining-node/why'
import type { Address } from '@hailstone/protocol'
import { askAgain } from '../ask-again.ts'
import { askHealth } from '../ask-health.ts'
import { runningMiners } from '../miner-record.ts'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, ok, skipped, warning } from './finding.ts'

/** Own microblocks among the records of rewards (PROTOCOL 6.7). */
const OWN_MICROBLOCK = 'im'
const LATELY_MS = 3_600_000
/** Number of the newest records that are searched. */
const RECORDS_READ = 50

const ageText = (ms: number): string =>
  ms < 120_000
    ? `${Math.round(ms / 1000)} s`
    : ms < 7_200_000
      ? `${Math.round(ms / 60_000)} min`
      : `${Math.round(ms / 3_600_000)} h`

/** Checks when a microblock of this account was last included: the only proof that mining works. */
export async function checkEarnings({ client, address, nowMs, signal }: DoctorContext): Promise<Finding> {
  const check = 'inclusion'
  if (client === null || address === undefined) return skipped(check, 'Needs the API and an account.')
  const found = await askAgain(() => newestRewards(client, address, signal))
  const own = found?.find(({ recordType }) => recordType === OWN_MICROBLOCK)
  if (own !== undefined) return judgeAge(nowMs() - own.time * 1_000, own.hash)
  const isAll = (found?.length ?? 0) < RECORDS_READ
  return warning({
    check,
    exit: 'nothingEarned',
    what: isAll
      ? 'No microblock of this account was ever included, by what the API shows.'
      : `None of the newest ${RECORDS_READ} rewards of this account is for a microblock of its own; older ones were not searched.`,
  })
}

/** Undefined for an answer without any, which a node that is behind gives as well. */
async function newestRewards(client: Client, address: Address, signal: AbortSignal) {
  const found = []
  for await (const reward of client.rewardsOf({ address, signal })) {
    found.push(reward)
    if (reward.recordType === OWN_MICROBLOCK || found.length >= RECORDS_READ) break
  }
  return found.length > 0 ? found : undefined
}

function judgeAge(ageMs: number, hash: string): Finding {
  const check = 'inclusion'
  const what = `The last microblock was included ${ageText(Math.max(0, ageMs))} ago: ${hash}.`
  return ageMs <= LATELY_MS ? ok(check, what) : warning({ check, exit: 'nothingEarned', what })
}

type Health = {
  readonly isReady: boolean
  readonly code: string
  readonly why: string
  readonly nextStep: string
}

/** Checks if the network lists this account among the miners that it sees, beside what runs on this machine. */
export async function checkSeen({ client, address, minersFolder, signal }: DoctorContext): Promise<Finding> {
  const check = 'seen'
  if (client === null || address === undefined) return skipped(check, 'Needs the API and an account.')
  const miners = await runningMiners(minersFolder).catch(() => [])
  const runsHere = miners.some((record) => record.address === address)
  const isDecided = ({ status }: Seen): boolean => status === 'seen' || !runsHere
  let seen = await readSeen(client, { address, signal })
  if (!isDecided(seen))
    await askAgain(async () => {
      seen = await readSeen(client, { address, signal })
      return isDecided(seen) ? seen : undefined
    })
  return judgeSeen({ seen, runsHere })
}

export function judgeSeen({ seen, runsHere }: { readonly seen: Seen; readonly runsHere: boolean }): Finding {
  const check = 'seen'
  const what = seenSentence(seen)
  if (seen.status === 'seen') return ok(check, what)
  if (seen.status === 'unknown') return skipped(check, what)
  if (!runsHere) return skipped(check, `${what} No miner of this account runs on this machine.`)
  return warning({
    check,
    exit: 'notReady',
    what: `A miner of this account runs here. ${what}`,
    nextStep: 'Look at its gateway: it may be cut off, or the API may show another network or lag behind.',
  })
}

/** Checks if a process on this machine mines with this key, and its health. */
export async function checkMiner({ minersFolder, address }: DoctorContext): Promise<Finding> {
  const check = 'miner'
  const miners = await runningMiners(minersFolder).catch(() => null)
  if (miners === null) return skipped(check, `Unknown: ${minersFolder} cannot be read.`)
  const miner = miners.find((record) => isOf(record.address, address))
  if (miner === undefined) return skipped(check, 'No miner of this account runs on this machine.')
  const { processId, healthUrl } = miner
  if (healthUrl === null)
    return ok(check, `Process ${processId} mines; without a health port it tells no more.`)
  const answer = await askHealth(new URL('/health', healthUrl))
  if (answer?.status === 401) return ok(check, `Process ${processId} mines; its health port wants a token.`)
  if (answer === null) {
    return warning({
      check,
      exit: 'notReady',
      what: `Process ${processId} does not answer on its health port.`,
      nextStep: 'Restart it.',
    })
  }
  const { isReady, code, why, nextStep } = JSON.parse(answer.text) as Health
  if (isReady) return ok(check, `Process ${processId} mines and is ready.`)
  return warning({
    check,
    exit: 'notReady',
    what: `Process ${processId} is not ready (${code}): ${why}`,
    nextStep,
  })
}

const isOf = (miner: Address, address: Address | undefined): boolean =>
  address === undefined || miner === address
