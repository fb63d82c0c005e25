import { count, list, text } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { blockTransaction } from './block-transaction.ts'
import { defineEndpoint, maybe } from './define-endpoint.ts'
import { keyBlockFields } from './macroblocks.ts'

const listedKeyBlock = record({ ...keyBlockFields, transactionCount: ['tx_count', count] })

/** `GET /page`: ten calculated key blocks, newest first; page 0 is the newest. */
export const keyBlockPageEndpoint = defineEndpoint({
  path: '/page',
  parameters: { page: maybe('page', 'n') },
  answer: record({ pageCount: ['count', count], keyBlocks: ['kblocks', list(listedKeyBlock)] }),
})

/**
 * `GET /success_tx_by_height`: confirmed transactions of one macroblock. Always status 200; errors are in
 * `error.code`.
 */
export const confirmedTransactionsEndpoint = defineEndpoint({
  path: '/success_tx_by_height',
  parameters: { height: maybe('height', 'height') },
  answer: record({
    error: record({ code: count, message: ['msg', text] }),
    data: record({ transactions: ['txs', list(blockTransaction)] }),
  }),
})

/** A key block with its number of transactions, an entry of `GET /page`. */
export type ListedKeyBlock = Value<typeof listedKeyBlock>
/** Answer of `GET /success_tx_by_height`. Check `error.code` first: the HTTP status is always 200. */
export type ConfirmedTransactions = Value<typeof confirmedTransactionsEndpoint.answer>
