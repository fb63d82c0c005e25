import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { exchangesOf } from './recordings.ts'

type LedgerTransaction = { readonly hash: string } & Readonly<Record<string, unknown>>

type Ledger = {
  readonly blocks: readonly {
    readonly mblocks: readonly {
      readonly hash: string
      readonly kblocks_hash: string
      readonly publisher: string
      readonly referrer: string | null
      readonly nonce: number
      readonly token: string
      readonly txs: readonly LedgerTransaction[]
    }[]
  }[]
  readonly steps: readonly {
    readonly tx_statuses: readonly {
      readonly hash: string
      readonly mblocks_hash: string
      readonly status: number
    }[]
  }[]
}

/** A microblock as GET /mblock shows it, from the ledger recording: not every one was asked for over HTTP. */
function microblockAnswers({ blocks, steps }: Ledger): readonly (readonly [string, string])[] {
  const statuses = new Map(
    steps.flatMap(({ tx_statuses }) =>
      tx_statuses.map(({ hash, mblocks_hash, status }) => [`${mblocks_hash}/${hash}`, status] as const),
    ),
  )
  return blocks
    .flatMap(({ mblocks }) => mblocks)
    .map(({ hash, txs, kblocks_hash, publisher, referrer, nonce, token }) => {
      const transactions = txs.map((transaction) => ({
        ...transaction,
        mblocks_hash: hash,
        status: statuses.get(`${hash}/${transaction.hash}`),
      }))
      const header = { kblocks_hash, publisher, referrer, mblocks_hash: hash, reward: 0, nonce, token }
      return [`/mblock?hash=${hash}`, JSON.stringify({ transactions, header })] as const
    })
}

/** Answers by target of a recorded chain: heights 0 to 6 are calculated, 7 is open. */
export function recordedChain(): ReadonlyMap<string, string> {
  const path = fileURLToPath(new URL('../../../conformance/recorded/ledger-1.json', import.meta.url))
  const asked = exchangesOf('recorded/http-1.json')
    .filter(({ method }) => method === 'GET')
    .map(({ path: target, body }) => [target, body] as const)
  return new Map([...microblockAnswers(JSON.parse(readFileSync(path, 'utf8')) as Ledger), ...asked])
}
