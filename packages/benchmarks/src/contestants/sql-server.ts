/** The least that takes payments: `node:http`, one verification and three statements of the same SQL engine. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { signingHashOfTexts, transactionHashOfTexts, type VerifyText, verifyText } from '@hailstone/protocol'
import { findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'
import { answerParent } from '../child.ts'

type Queries = { readonly query: (text: string, values: readonly unknown[]) => Promise<unknown> }
type Engine = Queries & {
  readonly exec: (text: string) => Promise<unknown>
  readonly transaction: (work: (queries: Queries) => Promise<void>) => Promise<void>
}

/** The engine is the local network's; no package but that one depends on it. */
const ofNetwork = createRequire(fileURLToPath(import.meta.resolve('@hailstone/local-network')))
const { PGlite } = ofNetwork('@electric-sql/pglite') as { readonly PGlite: new () => Engine }

const TABLES = `
  create table payment (hash text primary key, sender text, receiver text, amount numeric(20));
  create table balance (account text primary key, amount numeric(20));`
const PAYMENT = 'insert into payment values ($1, $2, $3, $4)'
const BALANCE = `insert into balance values ($1, $2)
  on conflict (account) do update set amount = balance.amount + excluded.amount`

type Posted = Readonly<Record<'from' | 'to' | 'data' | 'sign' | 'ticker', string>> & {
  readonly amount: number | string
  readonly nonce: number
}

const engine = new PGlite()
let verify: VerifyText = verifyText

async function take([posted]: readonly Posted[]): Promise<string> {
  if (posted === undefined) throw new Error('nothing was posted')
  const { from, to, data, sign: signature, ticker: tokenId, nonce } = posted
  const amount = String(posted.amount)
  const texts = { from, to, data, tokenId, amount, nonce, signature }
  if (!verify({ text: signingHashOfTexts(texts), signature, address: from })) throw new Error('not signed')
  const hash = transactionHashOfTexts(texts)
  await engine.transaction(async ({ query }) => {
    await query(PAYMENT, [hash, from, to, amount])
    await query(BALANCE, [from, `-${amount}`])
    await query(BALANCE, [to, amount])
  })
  return hash
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  try {
    const hash = await take(JSON.parse(body) as readonly Posted[])
    response.end(JSON.stringify({ err: 0, result: [{ hash, status: 0 }] }))
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
}

answerParent({
  start: async () => {
    verify = (await findAcceleratedEcdsa())?.verifyText ?? verifyText
    await engine.exec(TABLES)
    const server = createServer((request, response) => void answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  },
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
})
