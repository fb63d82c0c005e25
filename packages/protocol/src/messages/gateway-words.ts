import { stringifyJson } from '../json.ts'
import type { MicroblockContent } from '../microblock.ts'
import { transactionHash } from '../transaction.ts'
import type { Hash } from '../values/hash.ts'
import { PROTOCOL_VERSION } from './envelope.ts'

/** Error code of a gateway: it speaks another version of the protocol (PROTOCOL 5). */
export const WRONG_VERSION = 'ERR_WRONG_PROTOCOL_VERSION'
/** Error code of a gateway: another connection mines with the same key (PROTOCOL 5). */
export const DUPLICATE_KEY = 'ERR_DUPLICATE_KEY'
/** Error code of a gateway: the balance is below the minimum. The connection is closed after it (PROTOCOL 5.10). */
export const LOW_STAKE = 'ERR_WRONG_LOW_STAKE'

/** Formats an error of a gateway, which has neither method nor data (PROTOCOL 5.10). */
export const formatRefusal = (code: string): string => stringifyJson({ ver: PROTOCOL_VERSION, err: code })

/** Formats a redirect to another gateway (PROTOCOL 5.4). */
export const formatPeer = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  stringifyJson({ ver: PROTOCOL_VERSION, method: 'peer', data: { ip: host, port } })

/** Formats the answer of a boot node, which has neither version nor method (PROTOCOL 5.4). */
export const formatShortPeer = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  stringifyJson({ data: { ip: host, port } })

/** Formats a beacon like current gateways: amounts and nonces of transactions are texts (PROTOCOL 5.5). */
export function formatBeacon(parameters: {
  readonly leaderId: string
  readonly microblockHash: Hash
  readonly content: MicroblockContent
}): string {
  const { leaderId, microblockHash, content } = parameters
  return stringifyJson({
    ver: PROTOCOL_VERSION,
    method: 'on_leader_beacon',
    data: {
      leader_id: leaderId,
      m_hash: microblockHash,
      mblock_data: {
        kblocks_hash: content.keyBlockHash,
        txs: content.transactions.map((transaction) => ({
          hash: transactionHash(transaction),
          from: transaction.from,
          to: transaction.to,
          amount: transaction.amount.toString(),
          nonce: String(transaction.nonce),
          sign: transaction.signature,
          ticker: transaction.tokenId,
          data: transaction.data,
        })),
        publisher: content.publisher,
        nonce: content.nonce,
      },
    },
  })
}
