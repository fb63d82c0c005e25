import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  addressOf,
  defaultEcdsa,
  parsePrivateKey,
  sha256Hex,
  signingHash,
  toAmount,
  transactionHash,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'
import { Pool } from 'undici'
import { type Child, startChild } from '../child.ts'
import { type Outcome, outcomeOf } from '../outcome.ts'
import { cpuPressure, isQuiet, quietMachine } from '../pressure.ts'
import type { SuiteParameters } from '../suite.ts'

const PAYMENTS = 300
export const IN_FLIGHT = 16
const BLOCK_TIME_MS = 1_000
const AMOUNT = toAmount(10_000_000_000n)

type Started = { readonly apiUrl: string; readonly privateKey?: string }
type Body = { readonly text: string; readonly hash: string; readonly to: Address }
export type Payment = Body & {
  /** Text that its signature covers, with signature and signer. */
  readonly signed: { readonly text: string; readonly signature: string; readonly address: string }
}
type Signer = { readonly address: string; readonly privateKey: string }

/** Signed ahead, by whatever signs fastest: signing is not what is measured. Payers take turns. */
export async function signPayments(
  payers: readonly Pick<Signer, 'privateKey'>[],
  { round, count = PAYMENTS }: { readonly round: number; readonly count?: number | undefined },
): Promise<readonly Payment[]> {
  const { signText } = (await findAcceleratedEcdsa()) ?? defaultEcdsa
  const keys = payers.map(({ privateKey }) => parsePrivateKey(privateKey))
  const to: Address = addressOf(parsePrivateKey(sha256Hex(`paid in round ${round}`)))
  const addresses = keys.map(addressOf)
  return Array.from({ length: count }, (_, at) => {
    const payer = keys[at % keys.length] as (typeof keys)[number]
    const from = addresses[at % keys.length] as Address
    const nonce = round * count + at + 1
    const fields = { amount: AMOUNT, data: '', from, nonce, tokenId: ZERO_TOKEN_ID, to }
    const text = signingHash(fields)
    const signature = signText(text, payer)
    const wire = { amount: Number(AMOUNT), data: '', from, nonce, sign: signature, ticker: ZERO_TOKEN_ID, to }
    return {
      text: JSON.stringify([wire]),
      hash: transactionHash({ ...fields, signature }),
      to,
      signed: { text, signature, address: from },
    }
  })
}

const payments = (privateKey: string, round: number): Promise<readonly Payment[]> =>
  signPayments([{ privateKey }], { round })

export async function postAll(url: URL, bodies: readonly Body[]): Promise<void> {
  const pool = new Pool(url.origin, { connections: IN_FLIGHT })
  let next = 0
  const lane = async (): Promise<void> => {
    for (let at = next++; at < bodies.length; at = next++) {
      const { text, hash } = bodies[at] as Body
      const { body, statusCode } = await pool.request({
        method: 'POST',
        path: `${url.pathname.replace(/\/$/, '')}/tx`,
        headers: { 'content-type': 'application/json' },
        body: text,
      })
      const answer = await body.text()
      if (!answer.includes(hash)) throw new Error(`status ${statusCode} to a payment: ${answer}`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  await pool.close()
}

/** Until what is waited for holds; the process is asked, and not its API, which would have to answer for it. */
async function untilReceived(
  network: Child,
  to: Address,
  enough: (units: bigint) => boolean,
): Promise<bigint> {
  for (;;) {
    const units = BigInt(await network.ask<string>('balance', { address: to }))
    if (enough(units)) return units
    await sleep(BLOCK_TIME_MS / 10)
  }
}

export async function paymentRates({ settings, tell }: SuiteParameters): Promise<Outcome> {
  const [memory, floor] = [startChild('network'), startChild('sql-server')]
  const started = await memory.ask<Started>('start', { blockTimeMs: BLOCK_TIME_MS })
  const bare = await floor.ask<Started>('start')
  const rates = { network: [] as number[], floor: [] as number[] }
  // What a payment brings its receiver: the fee is the network's to say.
  const trial = (await payments(started.privateKey ?? '', 0)).slice(0, 1)
  await postAll(new URL(started.apiUrl), trial)
  const each = await untilReceived(memory, trial[0]?.to as Address, (units) => units > 0n)
  let wasQuiet = await quietMachine(settings)
  const pressures: (number | null)[] = []
  const timed = async (child: Child, work: () => Promise<void>): Promise<number> => {
    const before = await child.ask<number>('cpu')
    await work()
    return (1_000 * PAYMENTS) / ((await child.ask<number>('cpu')) - before)
  }
  for (let round = 1; round <= settings.rounds + 1; round++) {
    const bodies = await payments(started.privateKey ?? '', round)
    pressures.push(cpuPressure())
    const network = await timed(memory, async () => {
      await postAll(new URL(started.apiUrl), bodies)
      const all = each * BigInt(PAYMENTS)
      await untilReceived(memory, bodies[0]?.to as Address, (units) => units === all)
    })
    const least = await timed(floor, () => postAll(new URL(bare.apiUrl), bodies))
    pressures.push(cpuPressure())
    wasQuiet &&= pressures.slice(-2).every(isQuiet)
    // The first round compiles.
    if (round === 1) continue
    rates.network.push(network)
    rates.floor.push(least)
    tell(`N-3 round ${round - 1} of ${settings.rounds}`)
  }
  for (const child of [memory, floor]) await child.end()
  return outcomeOf({
    id: 'N-3',
    title: `Payments taken, mined and executed, ${PAYMENTS} at a time`,
    unit: '/CPU s of the server',
    isMoreBetter: true,
    scores: [
      { name: 'the network', samples: rates.network },
      { name: 'node:http, one verification, one SQL transaction for each', samples: rates.floor },
    ],
    goals: [],
    pressures,
    wasQuiet,
    notes: [
      'the network also offers, mines and publishes them in microblocks, keeps histories and figures, and closes a macroblock a second',
    ],
  })
}
