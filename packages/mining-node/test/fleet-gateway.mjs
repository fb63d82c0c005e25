/**
 * A gateway for load: a process of its own that keeps any number of sessions and measures how they answer. Driven
 * by messages of its parent: listen, broadcast, crash, report. Needs the built packages.
 */
import { createServer } from 'node:http'
import {
  addressOf,
  formatBeacon,
  microblockHash,
  microblockHashOf,
  parsePrivateKey,
  publicationText,
  sha256Hex,
  signingHash,
  signText,
  transactionHash,
  verifyText,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { WebSocketServer } from 'ws'

const payer = parsePrivateKey(sha256Hex('payer of the load'))
const payee = addressOf(parsePrivateKey(sha256Hex('payee of the load')))
/** Publications whose signature is verified after each round. */
const SAMPLE = 50

const miners = new Map()
let server = null
let port = 0
let hails = []
let round = null
let rounds = 0

function payment(nonce) {
  const fields = {
    amount: 10n ** 10n,
    data: '',
    from: addressOf(payer),
    nonce,
    tokenId: ZERO_TOKEN_ID,
    to: payee,
  }
  return { ...fields, signature: signText(signingHash(fields), payer) }
}

/** The frame of one miner, cut into what everybody gets and the two places that differ. */
function frameMaker(transactionCount, seed) {
  const transactions = Array.from({ length: transactionCount }, (_, at) => payment(seed * 10_000 + at))
  const transactionHashes = transactions.map(transactionHash)
  const keyBlockHash = sha256Hex(`key block ${seed}`)
  const model = { keyBlockHash, nonce: 1, transactions, publisher: payee }
  const modelHash = microblockHash(model)
  const parts = formatBeacon({ leaderId: '1', microblockHash: modelHash, content: model }).split(modelHash)
  const tail = parts[1].slice(0, parts[1].lastIndexOf(payee))
  const end = parts[1].slice(parts[1].lastIndexOf(payee) + payee.length)
  return (publisher) => {
    const hash = microblockHashOf({ keyBlockHash, nonce: 1, publisher, transactionHashes })
    return { hash, text: parts[0] + hash + tail + publisher + end }
  }
}

function hear(socket, text) {
  const at = performance.now()
  if (text.startsWith('{"ver":4,"method":"publish"')) takePublication(socket, text, at)
  else if (text.startsWith('{"ver":4,"method":"hail"')) {
    const { id, token } = JSON.parse(text).data
    miners.set(socket, { address: id, token })
    hails.push(at)
  } else if (text.startsWith('echo')) takeEcho(socket, text, at)
}

/** Bare clients say `echo <name>` in place of a hail, and anything that begins with `echo` in place of an answer. */
function takeEcho(socket, text, at) {
  if (miners.has(socket)) takePublication(socket, text, at)
  else {
    miners.set(socket, { address: text.slice(5), token: ZERO_TOKEN_ID })
    hails.push(at)
  }
}

function takePublication(socket, text, at) {
  const expected = round?.expected.get(socket)
  if (expected === undefined) {
    if (round !== null) round.unexpected++
    return
  }
  round.expected.delete(socket)
  round.answers.push({ text, expected, delayMs: at - round.startedAt })
  if (round.expected.size === 0) round.finish()
}

/** True if a publication is the requested one and has a valid signature. */
function isGood({ text, expected }) {
  if (text.startsWith('echo')) return true
  const { data } = JSON.parse(text)
  const { address, hash } = expected
  const signed = publicationText({ microblockHash: hash, referralAgent: null, tokenId: data.token })
  return (
    data.m_hash === hash && data.id === address && verifyText({ text: signed, signature: data.sign, address })
  )
}

const share = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null

async function broadcast({ transactions = 10, timeoutMs = 60_000 }) {
  const make = frameMaker(transactions, (Date.now() % 1e9) + rounds++)
  const frames = [...miners].map(([socket, { address }]) => ({ socket, address, ...make(address) }))
  let finish = () => {}
  const finished = new Promise((resolve) => {
    finish = resolve
  })
  const expected = new Map(frames.map((frame) => [frame.socket, frame]))
  round = { startedAt: 0, expected, answers: [], unexpected: 0, finish }
  round.startedAt = performance.now()
  for (const { socket, text } of frames) socket.send(text)
  const sentMs = performance.now() - round.startedAt
  const timer = setTimeout(finish, timeoutMs)
  await finished
  clearTimeout(timer)
  const { answers, unexpected } = round
  round = null
  const delays = answers.map(({ delayMs }) => delayMs).sort((one, other) => one - other)
  const step = Math.max(1, Math.floor(answers.length / SAMPLE))
  const sampled = answers.filter((_, at) => at % step === 0)
  return {
    asked: frames.length,
    answered: answers.length,
    unexpected,
    sentMs,
    p50Ms: share(delays, 0.5),
    p99Ms: share(delays, 0.99),
    maxMs: delays.at(-1) ?? null,
    sampled: sampled.length,
    good: sampled.filter(isGood).length,
  }
}

async function listen(at = 0) {
  const http = createServer((_, response) => response.writeHead(426).end())
  server = new WebSocketServer({ server: http, perMessageDeflate: false, maxPayload: 65_536 })
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.on('close', () => miners.delete(socket))
    socket.on('message', (data) => hear(socket, String(data)))
  })
  await new Promise((resolve, reject) => {
    http.once('error', reject)
    http.listen({ host: '127.0.0.1', port: at, backlog: 4_096 }, resolve)
  })
  port = http.address().port
  server.http = http
  return { url: `ws://127.0.0.1:${port}` }
}

async function crash() {
  const { http } = server
  const closed = new Promise((resolve) => http.close(resolve))
  for (const socket of server.clients) socket.terminate()
  http.closeAllConnections()
  await closed
  miners.clear()
  hails = []
  return {}
}

/** Measures when the miners came back after this gateway did, and how many at once. */
function returned({ since, nodes }) {
  const delays = hails.map((at) => at - since).sort((one, other) => one - other)
  let peak = 0
  for (let first = 0, last = 0; last < delays.length; last++) {
    while (delays[last] - delays[first] >= 100) first++
    peak = Math.max(peak, last - first + 1)
  }
  return {
    returned: delays.length,
    p50Ms: share(delays, 0.5),
    p99Ms: share(delays, 0.99),
    maxMs: delays.at(-1) ?? null,
    peakPer100Ms: peak,
    peakShare: peak / nodes,
  }
}

const orders = {
  listen: () => listen(),
  online: () => ({ miners: miners.size }),
  broadcast,
  crash,
  reopen: async () => ({ ...(await listen(port)), at: performance.now() }),
  returned,
  memory: () => ({ rss: process.memoryUsage().rss }),
}

process.on('message', async ({ id, type, ...parameters }) => {
  try {
    process.send({ id, answer: await orders[type](parameters) })
  } catch (error) {
    process.send({ id, error: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))
