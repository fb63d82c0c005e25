import type { VerifyText } from '../accelerated/ecdsa.ts'
import { verifyText } from '../ecdsa.ts'
import type { JsonValue } from '../json.ts'
import { microblockHashOf } from '../microblock.ts'
import * as leaves from '../schema/leaves.ts'
import { decodeWith, record, type Value } from '../schema/record.ts'
import {
  hashedFieldsOf,
  signingHashOf,
  signingHashOfTexts,
  transactionHashOf,
  transactionHashOfTexts,
} from '../transaction.ts'
import type { Address } from '../values/address.ts'
import type { Hash } from '../values/hash.ts'

const coordinate = record({ x: leaves.list(leaves.text), y: leaves.list(leaves.text) })

const offeredTransaction = record({
  statedHash: ['hash', leaves.optional(leaves.orNull(leaves.text))],
  from: leaves.address,
  to: leaves.address,
  amount: leaves.canonicalInteger,
  nonce: leaves.canonicalInteger,
  signature: ['sign', leaves.text],
  tokenId: ['ticker', leaves.text],
  data: leaves.text,
})

const beaconData = record({
  leaderId: ['leader_id', leaves.figure],
  microblockHash: ['m_hash', leaves.hash],
  leaderSignature: ['leader_sign', leaves.optional(leaves.orNull(record({ r: coordinate, s: coordinate })))],
  content: [
    'mblock_data',
    record({
      keyBlockHash: ['kblocks_hash', leaves.hash],
      transactions: ['txs', leaves.list(offeredTransaction)],
      publisher: leaves.address,
      nonce: leaves.canonicalInteger,
    }),
  ],
})

/** A leader's offer of a microblock, parsed but not checked (PROTOCOL 5.5). */
export type Beacon = Value<typeof beaconData>
/** A transaction in the microblock that a beacon offers, as it was received. */
export type OfferedTransaction = Value<typeof offeredTransaction>

/** Parses the data of a beacon message; checks shapes only. */
export const parseBeacon = (data: JsonValue | undefined) => decodeWith(beaconData, data)

/** Reason why a beacon is not signed. */
export type BeaconRefusal =
  | 'addressedToAnotherPublisher'
  | 'noTransactions'
  | 'statedTransactionHashDiffers'
  | 'microblockHashDiffers'
  | 'transactionSignatureNotValid'

/** Result of {@link checkBeacon}: the hashes to sign, or the reason not to sign. */
export type BeaconCheck =
  | { readonly ok: true; readonly microblockHash: Hash; readonly keyBlockHash: Hash }
  | { readonly ok: false; readonly refusal: BeaconRefusal; readonly microblockHash: Hash }

/** Returns the hash of an offered transaction, computed from its fields; the stated one is not trusted. */
export const offeredTransactionHash = (offered: OfferedTransaction): Hash => transactionHashOfTexts(offered)

/** True if the sender signed the offered transaction. */
export const isOfferSigned = (offered: OfferedTransaction, verify: VerifyText = verifyText): boolean =>
  verify({
    text: signingHashOfTexts(offered),
    signature: offered.signature,
    address: offered.from,
  })

/** Returns the microblock hash computed from a beacon's content, whatever the beacon states. */
export const beaconHash = ({ content }: Beacon): Hash =>
  microblockHashOf({ ...content, transactionHashes: content.transactions.map(offeredTransactionHash) })

/** Hashes of transactions with verified signatures. */
export type VerifiedHashes = Pick<Set<Hash>, 'has' | 'add'>

function hashedOffer(offered: OfferedTransaction) {
  const fields = hashedFieldsOf(offered)
  return { ...offered, fields, hash: transactionHashOf(fields, offered.signature) }
}

export type CheckBeaconParameters = {
  readonly address: Address
  readonly verify?: VerifyText | undefined
  /**
   * Cache of earlier verifications, which this check extends: a payment may be in several beacons. A hash covers
   * every field and the signature, so it identifies the verification.
   */
  readonly verified?: VerifiedHashes | undefined
}

/**
 * Decides if a beacon may be signed: addressed to us, not empty, every hash recomputed, every transaction signed by
 * its sender (PROTOCOL 5.5, checks 2 to 6). After the cheaper checks it costs one signature verification per
 * transaction that was not verified before.
 */
export function checkBeacon(beacon: Beacon, parameters: CheckBeaconParameters): BeaconCheck {
  const steps = checkBeaconInSteps(beacon, parameters)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

const refused = (refusal: BeaconRefusal, microblockHash: Hash): BeaconCheck => ({
  ok: false,
  refusal,
  microblockHash,
})

/**
 * Decides what needs no signature verification: addressee, transactions, their hashes and the microblock hash
 * (PROTOCOL 5.5, checks 2 to 5).
 *
 * @param recompute returns the hashes of the transactions, computed from their fields; null if the beacon states
 *   another one. Called once, and only for a beacon that is addressed to us and not empty
 */
export function checkBeaconContent(
  { content, microblockHash }: Beacon,
  address: Address,
  recompute: (transactions: readonly OfferedTransaction[]) => readonly Hash[] | null,
): BeaconCheck {
  const { transactions, keyBlockHash } = content
  if (content.publisher.toLowerCase() !== address)
    return refused('addressedToAnotherPublisher', microblockHash)
  if (transactions.length === 0) return refused('noTransactions', microblockHash)
  const transactionHashes = recompute(transactions)
  if (transactionHashes === null) return refused('statedTransactionHashDiffers', microblockHash)
  if (microblockHashOf({ ...content, transactionHashes }) !== microblockHash)
    return refused('microblockHashDiffers', microblockHash)
  return { ok: true, microblockHash, keyBlockHash }
}

/** Like {@link checkBeacon}, but yields before each verification, so that a long beacon does not block its thread. */
export function* checkBeaconInSteps(
  beacon: Beacon,
  { address, verify = verifyText, verified = new Set() }: CheckBeaconParameters,
): Generator<void, BeaconCheck, void> {
  let offers: readonly ReturnType<typeof hashedOffer>[] = []
  const check = checkBeaconContent(beacon, address, (transactions) => {
    offers = transactions.map(hashedOffer)
    const isMisstated = offers.some(({ statedHash, hash }) => (statedHash ?? hash) !== hash)
    return isMisstated ? null : offers.map(({ hash }) => hash)
  })
  if (!check.ok) return check
  for (const { fields, from, hash, signature } of offers) {
    if (verified.has(hash)) continue
    yield
    const isSigned = verify({ text: signingHashOf(fields), signature, address: from })
    if (!isSigned) return refused('transactionSignatureNotValid', check.microblockHash)
    verified.add(hash)
  }
  return check
}
