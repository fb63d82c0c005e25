import { setTimeout as sleep } from 'node:timers/promises'
import type { FloodCounts, FloodTarget } from '../flood/flood-target.ts'
import { signedBody } from './signed-body.ts'

/** Longest wait for the last payment after the flood, in ms. */
const LAST_PAYMENT_MS = 15_000
const PAYMENT_INTERVAL_MS = 500
/** A request that takes longer counts as refused, in ms. */
const ANSWER_MS = 5000

export const WORST_DELAY = 'worst delay of an honest payment in macroblocks'
export const UNCONFIRMED = 'honest payments that were never confirmed'

export const REFUSED = 'honest payments refused'

type Calculated = { readonly status: number; readonly kblocks_hash: string }

async function read<T>(url: string): Promise<T | null> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
  const text = await response.text()
  return response.ok && text !== '' ? (JSON.parse(text) as T) : null
}

const heightOf = async (apiUrl: string): Promise<number> =>
  (await read<{ height?: number }>(`${apiUrl}/height`))?.height ?? 0

/** Height of the macroblock that holds a confirmed payment, or null. */
async function confirmedAt(apiUrl: string, hash: string): Promise<number | null> {
  const found = await read<Calculated>(`${apiUrl}/tx?hash=${hash}`)
  if (found?.status !== 3) return null
  const block = await read<{ kblock?: { n: number } }>(`${apiUrl}/macroblock?hash=${found.kblocks_hash}`)
  return block?.kblock?.n ?? null
}

/**
 * Pays from a funded account every half second. Returns by how many macroblocks the slowest payment was confirmed
 * after the one that was open when it was accepted; heights say that, so no clock takes part.
 */
export async function payHonestly({
  apiUrl,
  nativeTokenId,
  accounts,
  signal,
}: FloodTarget): Promise<FloodCounts> {
  const [, payer, receiver] = accounts
  if (payer === undefined || receiver === undefined) throw new Error('the network has three accounts')
  const waiting = new Map<string, number>()
  let paid = 0
  let refused = 0
  let worst = 0
  async function settle(): Promise<void> {
    const look = async ([hash, from]: readonly [string, number]): Promise<void> => {
      const at = await confirmedAt(apiUrl, hash).catch(() => null)
      if (at === null || !waiting.delete(hash)) return
      worst = Math.max(worst, at - from)
    }
    await Promise.all([...waiting].map(look))
  }
  while (!signal.aborted) {
    const { body, hash } = signedBody({ from: payer, to: receiver.address, tokenId: nativeTokenId })
    try {
      const response = await fetch(`${apiUrl}/tx`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      const { err } = (await response.json()) as { err: number }
      // After the answer: how long the API takes to answer is the figure of another user.
      if (err === 0) waiting.set(hash, await heightOf(apiUrl))
      else refused++
      paid++
    } catch {
      refused++
    }
    await settle()
    await sleep(PAYMENT_INTERVAL_MS, undefined, { signal }).catch(() => {})
  }
  const deadline = Date.now() + LAST_PAYMENT_MS
  while (waiting.size > 0 && Date.now() < deadline) {
    await sleep(250)
    await settle()
  }
  return {
    'honest payments': paid,
    [REFUSED]: refused,
    [WORST_DELAY]: worst,
    [UNCONFIRMED]: waiting.size,
  }
}
