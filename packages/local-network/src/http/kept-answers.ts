import { getHeapStatistics } from 'node:v8'
import type { ClosedMacroblock } from '@hailstone/ledger'
import type { ProducerEvents } from '../chain/block-producer.ts'
import type { Listen } from '../chain/events.ts'

/** The newest macroblock, as far as this process knows it. */
export type LiveChain = {
  /** Another object after each macroblock and each way back; null while the store may know more than this process. */
  readonly tip: () => object | null
  /** Changes of the macroblock that this process is storing, while nothing else can change the store. @default null */
  readonly storing?: (() => ClosedMacroblock | null) | undefined
  readonly on: Listen<Pick<ProducerEvents, 'macroblockClosed' | 'reorganised'>>
}

/**
 * Time for which an answer stays true: while its macroblock is on the chain, until a macroblock changes the account or gives
 * it a record, or until the next macroblock.
 */
export type Lasting = 'on chain' | 'until next' | { readonly account: string }

/** An answer as it is sent. */
export type WrittenAnswer = {
  /** Its content type; undefined for none. */
  readonly type: string | undefined
  readonly body: string | Buffer
}

type Kept = WrittenAnswer & { readonly tip: object | null; readonly account: string | null }

export type KeptAnswers = {
  /** Undefined unless an answer is kept that is known to be true. */
  readonly find: (url: string) => WrittenAnswer | undefined
  /** @param tip tip of the chain before the answer was made */
  readonly keep: (url: string, answer: WrittenAnswer, lasting: Lasting, tip: object | null) => void
}

/** Memory for answers, where Node has enough of it, and what one takes besides its characters. */
const MAX_BYTES = Math.min(256 * 1024 * 1024, getHeapStatistics().heap_size_limit / 8)
const ENTRY_BYTES = 256
/** Longer ones are asked for rarely. */
const LONGEST = 64 * 1024

/** In one piece: a text that was put together keeps its parts, which take several times as much. */
const inOnePiece = (body: string | Buffer): string | Buffer =>
  typeof body === 'string' ? Buffer.from(body).toString() : body

type Generation = {
  readonly answers: Map<string, Kept>
  readonly accounts: Map<string, string[]>
  bytes: number
}

/** Accounts whose answers a macroblock changes. */
function changedAccounts({ changes, report }: ClosedMacroblock): ReadonlySet<string> {
  const changed = new Set<string>()
  for (const { account } of changes.balances) changed.add(account)
  for (const { delegator } of changes.delegations) changed.add(delegator)
  for (const { delegator } of changes.undelegations) changed.add(delegator)
  for (const { account } of report.records) changed.add(account)
  return changed
}

const newGeneration = (): Generation => ({ answers: new Map(), accounts: new Map(), bytes: 0 })

/**
 * For row P-17. Keeps answers as they were written, by the path and query that were asked. What was not asked for since half of the
 * memory was filled is forgotten.
 */
export function createKeptAnswers(
  live: LiveChain,
  { maxBytes = MAX_BYTES }: { readonly maxBytes?: number | undefined } = {},
): KeptAnswers {
  let young = newGeneration()
  let old = newGeneration()
  let changing: { readonly closed: ClosedMacroblock; readonly accounts: ReadonlySet<string> } | null = null

  /** True while it is the macroblock that is being stored that decides, and it does not change the answer. */
  function outlastsStoring({ tip, account }: Kept): boolean {
    const closed = live.storing?.() ?? null
    if (closed === null || tip !== null) return false
    if (account === null) return true
    if (changing?.closed !== closed) changing = { closed, accounts: changedAccounts(closed) }
    return !changing.accounts.has(account)
  }

  function isTrue(kept: Kept): boolean {
    const tip = live.tip()
    return tip === null ? outlastsStoring(kept) : kept.tip === null || kept.tip === tip
  }

  function put(url: string, kept: Kept): void {
    young.answers.set(url, kept)
    young.bytes += url.length + kept.body.length + ENTRY_BYTES
    if (kept.account !== null) {
      const urls = young.accounts.get(kept.account)
      if (urls === undefined) young.accounts.set(kept.account, [url])
      else urls.push(url)
    }
    if (young.bytes < maxBytes / 2) return
    old = young
    young = newGeneration()
  }

  function forget(account: string): void {
    for (const { answers, accounts } of [young, old]) {
      for (const url of accounts.get(account) ?? []) answers.delete(url)
      accounts.delete(account)
    }
  }

  live.on('macroblockClosed', ({ closed }) => {
    for (const account of changedAccounts(closed)) forget(account)
  })
  live.on('reorganised', () => {
    young = newGeneration()
    old = newGeneration()
  })

  return {
    find(url) {
      const recent = young.answers.get(url)
      const kept = recent ?? old.answers.get(url)
      if (kept === undefined || !isTrue(kept)) return undefined
      if (recent === undefined) {
        old.answers.delete(url)
        put(url, kept)
      }
      return kept
    },
    keep(url, { type, body }, lasting, tip) {
      // A macroblock came while the answer was made: nobody knows which of the two it is of.
      if (tip === null || tip !== live.tip() || body.length > LONGEST) return
      const account = typeof lasting === 'object' ? lasting.account.toLowerCase() : null
      put(url, { type, body: inOnePiece(body), account, tip: lasting === 'until next' ? tip : null })
    },
  }
}
