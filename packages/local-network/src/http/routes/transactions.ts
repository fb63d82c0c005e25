import {
  netAmount,
  type PendingTransaction,
  type PostTransactionAnswer,
  pendingAccountEndpoint,
  pendingSizeEndpoint,
  pendingTransactionEndpoint,
  postTransactionEndpoint,
  type Token,
  transactionEndpoint,
  transferFee,
} from '@hailstone/protocol'
import type { PendingEntry } from '../../chain/pending-entry.ts'
import type { ChainStore, TransactionCopy } from '../../store/index.ts'
import type { ApiParts } from '../api-parts.ts'
import { ApiRefusal } from '../api-refusal.ts'
import { SOMETHING_WRONG } from '../request-bodies.ts'
import { entriesRoute, postRoute, type Route, route } from '../route.ts'
import { poolRefusalText, validatePostedTransaction } from '../validate-posted-transaction.ts'

const refused = (message: string): PostTransactionAnswer => ({ error: 1, message })

async function post(parts: ApiParts, body: unknown): Promise<PostTransactionAnswer> {
  const { mempool, verify, newerData } = parts
  const verdict = validatePostedTransaction(body, verify, { pool: mempool, newerData })
  if (verdict.kind === 'crashed') throw new ApiRefusal(500, SOMETHING_WRONG)
  if (verdict.kind === 'refused') return refused(verdict.message)
  const { transaction, hash } = verdict
  const outcome = await mempool.add(transaction, hash)
  if (outcome === 'alreadyInPool') return refused('TX is already in txpool')
  if (outcome !== 'added') return refused(poolRefusalText(outcome))
  return { error: 0, result: [{ hash, status: 'pending' }] }
}

/** Members of every answer about a copy of a transaction. A rejected one shows its token as that is now. */
export const copyAnswer = (copy: TransactionCopy, token: Token | undefined) => ({
  status: copy.status,
  from: copy.from,
  to: copy.to,
  grossAmount: copy.amount,
  feeMinimum: token?.feeMinimum ?? null,
  tokenId: copy.tokenId,
  feeValue: token?.feeValue ?? null,
  feeType: token?.feeType ?? null,
  data: copy.data,
  hash: copy.hash,
  keyBlockHash: copy.keyBlockHash,
  microblockHash: copy.microblockHash,
})

/** Returns the token of a transaction. An identifier sent in upper case names none. */
export async function tokenOf(store: ChainStore, { tokenId }: TransactionCopy): Promise<Token | undefined> {
  const token = await store.token(tokenId)
  return token?.id === tokenId ? token : undefined
}

/** Members about the token are absent or null for a transaction whose token does not exist. */
async function transaction({ store }: ApiParts, hash: string | undefined) {
  const copy = hash === undefined ? undefined : await store.transaction(hash)
  if (copy === undefined) return undefined
  const token = await tokenOf(store, copy)
  return {
    ...copyAnswer(copy, token),
    fee: token && transferFee(token, copy.amount),
    netAmount: token && netAmount(token, copy.amount),
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** `YYYY-MM-DD HH:MM:SS` in the time zone of this machine (PROTOCOL 3.5.20). */
function localTime(ms: number): string {
  const time = new Date(ms)
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(twoDigits).join('-')
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':')}`
}

const pendingAnswer = ({ hash, addedAtMs, transaction: waiting }: PendingEntry): PendingTransaction => ({
  hash,
  timeAdded: localTime(addedAtMs),
  amount: waiting.amount,
  from: waiting.from,
  to: waiting.to,
  nonce: waiting.nonce,
  tokenId: waiting.tokenId,
  data: waiting.data,
  signature: waiting.signature,
})

const pendingByHash = ({ mempool }: ApiParts, hash: string): readonly PendingTransaction[] => {
  const entry = mempool.get(hash.toLowerCase())
  return entry === undefined ? [] : [pendingAnswer(entry)]
}

/** Entries of the pool that anybody can address to an account; what an account sends is bounded by the pool. */
const MAX_RECEIVED = 256

/** Returns what an account sent, and the newest of what is sent to it. */
function pendingOf(
  { mempool }: ApiParts,
  text: string | undefined,
  filter: string | undefined,
): readonly PendingEntry[] | undefined {
  const side = filter === 'from' || filter === 'to' ? filter : 'both'
  if (text === undefined) return side === 'both' ? [] : undefined
  const address = text.toLowerCase()
  const entries = mempool.ofAccount(address, side)
  const isSent = ({ transaction }: PendingEntry): boolean => side !== 'to' && transaction.from === address
  let skipped = entries.filter((entry) => !isSent(entry)).length - MAX_RECEIVED
  return entries.filter((entry) => isSent(entry) || skipped-- <= 0)
}

export const transactionRoutes = (parts: ApiParts): readonly Route[] => [
  postRoute(postTransactionEndpoint, (body) => post(parts, body)),
  route(transactionEndpoint, ({ hash }) => transaction(parts, hash), {
    // A token's fee never changes, and no other copy stands above a confirmed one.
    lasting: (_, { status, fee }) => (status === 'confirmed' && fee !== undefined ? 'on chain' : null),
  }),
  route(pendingSizeEndpoint, () => [{ count: parts.mempool.size }]),
  route(pendingTransactionEndpoint, ({ hash }) =>
    hash === undefined ? undefined : pendingByHash(parts, hash),
  ),
  entriesRoute(
    pendingAccountEndpoint,
    ({ address, filter }) => pendingOf(parts, address, filter),
    pendingAnswer,
  ),
]
