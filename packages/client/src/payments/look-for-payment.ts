import type { Hash, Transaction } from '@hailstone/protocol'
import type { TransactionInfo } from '../actions/get-transaction.ts'
import { isChainOf } from '../chain/chain-identity.ts'
import type { NetworkView } from './network-view.ts'
import type { PaymentPlace, SignedPayment } from './payment.ts'
import type { Confirmations, PaymentInput } from './transition.ts'

export type LookParameters = Confirmations & {
  readonly view: NetworkView
  readonly payment: SignedPayment
  readonly transaction: Transaction
  /** Hashes under which a changed copy of it would be executed. */
  readonly malleated: ReadonlySet<Hash>
}

/**
 * Result of one look: the input for the state machine, and the hash of a copy that was executed besides the payment.
 */
export type Look = { readonly input: PaymentInput; readonly executedCopy: Hash | null }

const unknown = (reason: string): Look => ({ input: { type: 'unknown', reason }, executedCopy: null })
const seen = (input: PaymentInput, executedCopy: Hash | null = null): Look => ({ input, executedCopy })

/**
 * Finds out where a payment is, by one API node. The pool is asked before the chain: an entry leaves the pool when it is
 * calculated, so what is in neither, in this order, is most likely nowhere. What the chain has is executed, whatever the
 * pool holds: anybody may post executed bytes again.
 *
 * @throws {NodeError} what the look-ups throw
 */
export async function lookForPayment(parameters: LookParameters): Promise<Look> {
  const { view, payment } = parameters
  const look = await lookInRounds(parameters)
  if (!needsChain(payment, look.input)) return look
  const received = await view.chain()
  return isChainOf(payment, received, view.core) ? look : unknown(ofAnotherChain(view))
}

/** The reason not to believe a node, nor to send it anything, when it serves another chain than a payment is made for. */
export function ofAnotherChain({ core }: NetworkView): string {
  core.transport.distrust?.(core.source)
  return `${core.source} serves another chain`
}

/** True for inputs by which a payment is executed, ends, or is taken for not executed: the chain has to be its own. */
function needsChain({ state }: SignedPayment, input: PaymentInput): boolean {
  if (input.type === 'nowhere') return 'place' in state || state.status === 'refused'
  if (!('place' in input)) return false
  const isNews = !('place' in state) || state.place.microblockHash !== input.place.microblockHash
  return isNews || input.isDeep
}

/** Looks before something is concluded from a single node. */
const ROUNDS = 6

/**
 * Looks for a payment; up to six times before its bytes are sent for the first time, since one address may lead to nodes that
 * are behind. Returns the first look that found the payment or a copy of it. One look that finds it nowhere is enough to send,
 * also where the other looks ended without a result.
 */
async function lookInRounds(parameters: LookParameters): Promise<Look> {
  const rounds = parameters.payment.state.status === 'stored' ? ROUNDS : 1
  let look = await lookInView(parameters)
  for (let round = 1; round < rounds; round++) {
    if (look.input.type !== 'nowhere' && look.input.type !== 'unknown') return look
    const again = await lookInView(parameters)
    if (look.input.type === 'unknown' || again.input.type !== 'unknown') look = again
  }
  return look
}

async function lookInView(parameters: LookParameters): Promise<Look> {
  const { view, payment, transaction } = parameters
  const pool = await view.pooledBy(transaction.from)
  const found = await view.transaction(payment.hash)
  if (found !== undefined) return calculated(parameters, found)
  if (!pool.has(payment.hash)) return lookOnceMore(parameters)
  if (placeOf(payment) === null) return seen({ type: 'inPool' })
  const contradiction = await whyStillThere(parameters, (await view.tip()).height)
  return contradiction === null ? seen({ type: 'inPool' }) : unknown(contradiction)
}

/**
 * Makes sure that neither the payment nor a copy of it is anywhere, for then it may be sent again. A fork can put
 * what was in the chain back into the pool while we ask, so the pool is asked at both ends, and the chain must not
 * have moved in between.
 */
async function lookOnceMore(parameters: LookParameters): Promise<Look> {
  const { view, payment } = parameters
  // A long history takes longer than a macroblock: it is searched before the chain has to stand still.
  const { malleatedHash, newest } = await searchForCopy(parameters, payment.anchor)
  if (malleatedHash !== null) return executedInstead(parameters, malleatedHash)
  const before = await view.tip()
  const contradiction = await whyStillThere(parameters, before.height)
  if (contradiction !== null) return unknown(contradiction)
  const pooled = await lookInPool(parameters)
  if (pooled !== null) return pooled
  const found = await view.transaction(payment.hash)
  if (found !== undefined) return calculated(parameters, found)
  const since = await searchForCopy(parameters, newest)
  if (since.malleatedHash !== null) return executedInstead(parameters, since.malleatedHash)
  const pooledSince = await lookInPool(parameters)
  if (pooledSince !== null) return pooledSince
  const after = await view.tip()
  if (after.keyBlockHash === undefined || after.keyBlockHash !== before.keyBlockHash) {
    return unknown('the chain moved while it was asked')
  }
  return seen({ type: 'nowhere', tipHeight: after.height })
}

/** The payment or a copy of it, waiting. */
async function lookInPool({ view, payment, transaction, malleated }: LookParameters): Promise<Look | null> {
  const pool = await view.pooledBy(transaction.from)
  if (pool.has(payment.hash)) return seen({ type: 'inPool' })
  const waiting = [...malleated].find((malleatedHash) => pool.has(malleatedHash))
  return waiting === undefined ? null : seen({ type: 'malleatedWaits', malleatedHash: waiting })
}

const placeOf = ({ state }: SignedPayment): PaymentPlace | null => ('place' in state ? state.place : null)

/**
 * Returns the reason not to trust a node that no longer shows a calculated payment: it is behind, or still has the
 * payment's block.
 */
async function whyStillThere({ view, payment }: LookParameters, tipHeight: number): Promise<string | null> {
  const place = placeOf(payment)
  if (place === null) return null
  if (tipHeight <= place.height) return 'the node is behind the block that holds it'
  const isOnChain = await view.isOnChain(place)
  if (isOnChain === undefined) return 'the node does not show the height of the block that holds it'
  return isOnChain ? 'the node has its microblock and does not show it' : null
}

async function calculated(parameters: LookParameters, found: TransactionInfo): Promise<Look> {
  const { view, payment, confirmations } = parameters
  const { status, keyBlockHash, microblockHash } = found
  const height = await view.heightOf(keyBlockHash)
  if (height === undefined) return unknown('the node does not have the block it names')
  const place = { height, keyBlockHash, microblockHash }
  // A block that was reorganised away may still be known by its hash.
  const depth = await view.depthOf(place, confirmations)
  if ('contradiction' in depth) return unknown(depth.contradiction)
  const { isDeep } = depth
  if (isDeep && !(await isSaidAgain(parameters, found)))
    return unknown('the node says something else of it when it is asked again')
  const copy = isDeep || status !== 'confirmed' ? await searchForCopy(parameters, payment.anchor) : null
  const executedCopy = copy?.malleatedHash ?? null
  if (status !== 'confirmed' && executedCopy !== null) return executedInstead(parameters, executedCopy)
  return seen({ type: 'calculated', status, place, isDeep }, status === 'confirmed' ? executedCopy : null)
}

/**
 * True if nothing else is said of a transaction when it is asked for again: its status is of one node, its depth may be of
 * another. A node that does not have it says nothing.
 */
async function isSaidAgain({ view, payment }: LookParameters, found: TransactionInfo): Promise<boolean> {
  const again = await Promise.all(Array.from({ length: ROUNDS - 1 }, () => view.transaction(payment.hash)))
  return again.every(
    (other) =>
      other === undefined ||
      (other.status === found.status &&
        other.keyBlockHash === found.keyBlockHash &&
        other.microblockHash === found.microblockHash),
  )
}

/** Returns the input for a payment that was not executed itself, but as a confirmed copy with another signature. */
async function executedInstead(parameters: LookParameters, malleatedHash: Hash): Promise<Look> {
  const { view, confirmations } = parameters
  const copy = await view.transaction(malleatedHash)
  if (copy === undefined) return unknown('the node shows a copy of it in a history only')
  const { keyBlockHash, microblockHash } = copy
  const height = await view.heightOf(keyBlockHash)
  if (height === undefined) return unknown('the node does not have the block of a copy of it')
  const place = { height, keyBlockHash, microblockHash }
  const depth = await view.depthOf(place, confirmations)
  if ('contradiction' in depth) return unknown(depth.contradiction)
  return seen({ type: 'malleatedExecuted', malleatedHash, place, isDeep: depth.isDeep })
}

type CopySearch = {
  /** Hash of a confirmed copy; null if no copy is found. */
  readonly malleatedHash: Hash | null
  /** The newest transaction of the sender, down to which another search goes. */
  readonly newest: Hash | null
}

/**
 * Searches the history of the sender for a confirmed copy, down to a transaction or as far back as that is read. If the
 * history is too long, each possible copy is requested by its hash.
 */
async function searchForCopy(parameters: LookParameters, anchor: Hash | null): Promise<CopySearch> {
  const { view, transaction, malleated } = parameters
  const { statuses, isComplete, newest } = await view.historySince(transaction.from, anchor)
  const inHistory = [...malleated].find((other) => statuses.get(other) === 'confirmed') ?? null
  if (isComplete || inHistory !== null) return { malleatedHash: inHistory, newest }
  const copies = await Promise.all([...malleated].map((other) => view.transaction(other)))
  const malleatedHash = copies.find((copy) => copy?.status === 'confirmed')?.hash ?? null
  return { malleatedHash, newest }
}
