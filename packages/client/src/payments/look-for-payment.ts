import type { Hash, Transaction } from '@hailstone/protocol'
import type { TransactionInfo } from '../actions/get-transaction.ts'
import type { NetworkView } from './network-view.ts'
import type { PaymentPlace, SignedPayment } from './payment.ts'
import type { Confirmations, PaymentInput } from './transition.ts'

export type LookParameters = Confirmations & {
  readonly view: NetworkView
  readonly payment: SignedPayment
  readonly transaction: Transaction
  /** Hashes under which a changed copy of it would be executed. */
  readonly twins: ReadonlySet<Hash>
}

/** What was seen, and whether a copy was executed besides the payment itself. */
export type Look = { readonly input: PaymentInput; readonly executedTwin: Hash | null }

const unknown = (reason: string): Look => ({ input: { type: 'unknown', reason }, executedTwin: null })
const seen = (input: PaymentInput, executedTwin: Hash | null = null): Look => ({ input, executedTwin })

/**
 * Finds out where a payment is. The pool is asked before the chain: an entry leaves the pool when it is
 * calculated, so what is in neither, in this order, is nowhere.
 *
 * @throws {NodeError} what the look-ups throw
 */
export async function lookForPayment(parameters: LookParameters): Promise<Look> {
  const { view, payment, transaction, twins } = parameters
  const pool = await view.pooledBy(transaction.from)
  if (pool.has(payment.hash) && !isCalculated(payment)) return seen({ type: 'inPool' })
  const found = await view.transaction(payment.hash)
  if (found !== undefined) return calculated(parameters, found)
  if (pool.has(payment.hash)) return seen({ type: 'inPool' })
  const tipHeight = await view.tipHeight()
  const contradiction = await whyStillThere(parameters, tipHeight)
  if (contradiction !== null) return unknown(contradiction)
  const waiting = [...twins].find((twin) => pool.has(twin))
  if (waiting !== undefined) return seen({ type: 'twinWaits', twin: waiting })
  return (await executedInstead(parameters)) ?? seen({ type: 'nowhere', tipHeight })
}

const placeOf = ({ state }: SignedPayment): PaymentPlace | null => ('place' in state ? state.place : null)
const isCalculated = (payment: SignedPayment): boolean => placeOf(payment) !== null

/** Why a node that does not show a calculated payment is not believed: it is behind, or still has its block. */
async function whyStillThere({ view, payment }: LookParameters, tipHeight: number): Promise<string | null> {
  const place = placeOf(payment)
  if (place === null || payment.state.status === 'superseded') return null
  if (tipHeight <= place.height) return 'the node is behind the block that holds it'
  const hash = await view.keyBlockHashAt(place.height)
  return hash === place.keyBlockHash ? 'the node has its block and does not show it' : null
}

async function calculated(parameters: LookParameters, found: TransactionInfo): Promise<Look> {
  const { view, confirmations } = parameters
  const { status, keyBlockHash, microblockHash } = found
  const height = await view.heightOf(keyBlockHash)
  if (height === undefined) return unknown('the node does not have the block it names')
  const place = { height, keyBlockHash, microblockHash }
  const isDeep = (await view.tipHeight()) - height >= confirmations
  // By link and not by height: a block that was reorganised away may still be known by its hash.
  if (isDeep && (await view.keyBlockHashAt(height)) !== keyBlockHash) {
    return unknown('the block it names is not part of the chain')
  }
  if (status !== 'confirmed') {
    const instead = await executedInstead(parameters)
    if (instead !== null) return instead
  }
  const besides = isDeep && status === 'confirmed' ? (await twinInHistory(parameters)).twin : null
  return seen({ type: 'calculated', status, place, isDeep }, besides)
}

/** A confirmed copy, when the payment itself was not executed. */
async function executedInstead(parameters: LookParameters): Promise<Look | null> {
  const twin = await executedTwin(parameters)
  if (twin === null) return null
  const { view, confirmations } = parameters
  const copy = await view.transaction(twin)
  if (copy === undefined) return unknown('the node shows a copy of it in a history only')
  const { keyBlockHash, microblockHash } = copy
  const height = await view.heightOf(keyBlockHash)
  if (height === undefined) return unknown('the node does not have the block of a copy of it')
  const isDeep = (await view.tipHeight()) - height >= confirmations
  return seen({ type: 'twinExecuted', twin, place: { height, keyBlockHash, microblockHash }, isDeep })
}

/** A confirmed copy in the history of the sender, as far back as that is read. */
async function twinInHistory({ view, payment, transaction, twins }: LookParameters): Promise<{
  readonly twin: Hash | null
  readonly isSure: boolean
}> {
  const { statuses, isComplete } = await view.historySince(transaction.from, payment.anchor)
  const twin = [...twins].find((other) => statuses.get(other) === 'confirmed') ?? null
  return { twin, isSure: isComplete || twin !== null }
}

/** As above; where the history is too long, each possible copy is asked for. */
async function executedTwin(parameters: LookParameters): Promise<Hash | null> {
  const { twin, isSure } = await twinInHistory(parameters)
  if (isSure) return twin
  const copies = await Promise.all([...parameters.twins].map((other) => parameters.view.transaction(other)))
  return copies.find((copy) => copy?.status === 'confirmed')?.hash ?? null
}
