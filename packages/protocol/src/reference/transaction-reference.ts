import {
  pendingAccountEndpoint,
  pendingSizeEndpoint,
  pendingTransactionEndpoint,
  postTransactionEndpoint,
  transactionEndpoint,
} from '../endpoints/transactions.ts'
import type { ReferenceGroup } from './endpoint-reference.ts'
import { pendingMeanings, transactionMeanings, under } from './meanings.ts'

export const transactionReference: ReferenceGroup = {
  name: 'Transactions',
  description: 'Sending a payment and asking what became of it.',
  endpoints: [
    {
      endpoint: postTransactionEndpoint,
      summary: 'Sends one signed transaction',
      description:
        'A list with exactly one transaction. The network checks form and signature here and everything else when the transaction is calculated. Status 200 does not mean success: look at `err`. Balance, token and fee decide later; poll `GET /tx`.',
      body: under('[].', {
        amount:
          'Gross amount in units, the fee inside. Send text: a number is read as a double and large ones lose digits.',
        data: 'Memo or encoded contract: 0 to 512 of 0-9 a-z A-Z blank _ - / and the full stop. Newer nodes take + and = too.',
        from: 'Address of the sender.',
        nonce: 'A JSON number, integer from 0 to 9007199254740991; a random salt.',
        sign: "ECDSA signature of the transaction's signing hash by the sender, DER in hex.",
        ticker: 'Identifier of the token, 64 hex digits in lower case.',
        to: 'Address of the receiver.',
      }),
      answer: {
        err: '0 accepted, 1 refused.',
        message: 'Why it was refused, in the exact words of the network. Absent on success.',
        result: 'On success: a list with one entry.',
        'result[].hash': 'Hash of the transaction.',
        'result[].status': '0: it waits in the pool.',
      },
    },
    {
      endpoint: transactionEndpoint,
      summary: 'A calculated transaction',
      description:
        'An empty body for a hash that is unknown, pending or not calculated yet. Fee and net amount come from the present parameters of the token, also for rejected transactions.',
      parameters: { hash: 'Hash of the transaction, 64 hex digits in either case.' },
      answer: {
        ...transactionMeanings,
        fee: 'Fee in units of the token, as text. Absent when the token is unknown.',
        amount:
          'Net amount in units of the token, as text; negative for a rejected payment below its fee. Absent when the token is unknown.',
      },
    },
    {
      endpoint: pendingSizeEndpoint,
      summary: 'How many transactions wait',
      answer: { '[].count': 'Transactions in the pool. The answer is a list with one entry.' },
    },
    {
      endpoint: pendingTransactionEndpoint,
      summary: 'A waiting transaction by its hash',
      description: 'A list with one entry while it waits, else an empty list; an empty body without `hash`.',
      parameters: { hash: 'Hash of the transaction.' },
      answer: under('[].', pendingMeanings),
    },
    {
      endpoint: pendingAccountEndpoint,
      summary: 'Waiting transactions of an account',
      description:
        'Of those sent to the account, the newest 256. Without `id`: an empty body with a filter, an empty list without.',
      parameters: {
        id: 'Address of the account.',
        filter: '`from`: sent by it; `to`: sent to it; both when absent.',
      },
      answer: under('[].', pendingMeanings),
    },
  ],
}
