import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { flippedSignature, readTransactionBody, transactionHash } from '@hailstone/protocol'

/** Orders of one account, its journal, and what its programs have said. */
export function newLane(parameters) {
  return {
    ...parameters,
    orders: 0,
    unpaid: new Set(),
    /** Orders whose bytes were stored, as far as was heard. */
    taken: new Set(),
    /** Final states that were shown, by memo. */
    said: new Map(),
    /** Everything that was shown, for people who have to find out what went wrong. */
    reported: new Map(),
    lives: 0,
    damaged: 0,
    fault: 'none',
    faultsLeft: 0,
    wire: null,
    killedOnWire: false,
    child: null,
  }
}

/**
 * Starts the lane's program. `said` is where its lines go; they are kept for whoever asks later.
 *
 * @param orders memos it is to pay
 * @param kill `{ place, nth }` at which it ends itself, null for none
 */
export function startLife(lane, { childFile, orders, kill }) {
  const startedAtMs = performance.now()
  const child = spawn(process.execPath, [childFile], { stdio: ['pipe', 'pipe', 'inherit'] })
  const life = { child, lines: [], ended: endOf(child), startMs: 0, settledMs: 0 }
  lane.child = child
  lane.lives++
  const { apiUrl, privateKey, to, path } = lane
  child.stdin.on('error', () => undefined)
  child.stdin.write(`${JSON.stringify({ apiUrl, privateKey, to, path, orders, kill })}\n`)
  life.ready = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text)
      life.lines.push(line)
      if (line.event === 'ready') life.startMs = performance.now() - startedAtMs
      if (line.event === 'settled') life.settledMs = performance.now() - startedAtMs
      hear(lane, line)
      resolve()
    })
    child.once('close', resolve)
  })
  return life
}

/** The signal that ended it; null when it ended by itself. */
const endOf = async (child) => (await once(child, 'close'))[1]

function hear(lane, line) {
  const { memo } = line
  if (line.event === 'damaged') lane.damaged += line.records
  if (memo === undefined) return
  const reported = `${Math.round(performance.now())} life ${lane.lives} ${line.status ?? line.event} ${line.code ?? ''}`
  lane.reported.set(memo, [...(lane.reported.get(memo) ?? []), reported])
  if (line.event === 'taken') lane.taken.add(memo)
  if (line.event === 'settled') lane.unpaid.delete(memo)
  if (line.isFinal || line.event === 'settled') {
    lane.said.set(memo, (lane.said.get(memo) ?? new Set()).add(line.status))
  }
}

/** Applies the lane's fault to a posted request. */
export function onPost(lane, random, body, raw) {
  if (lane.wire !== null) {
    const { wire } = lane
    lane.wire = null
    const cut = () => {
      lane.killedOnWire = true
      lane.child?.kill('SIGKILL')
    }
    if (wire === 'answer') return { cutAnswerAt: 0, cut }
    return { cutRequestAt: Math.floor(random() * raw.length), cut }
  }
  if (lane.faultsLeft === 0) return null
  lane.faultsLeft--
  switch (lane.fault) {
    case 'lost request':
      return { cutRequestAt: Math.floor(random() * raw.length) }
    case 'lost answer':
      return { cutAnswerAt: Math.floor(random() * 200) }
    case 'forgotten':
      return { answer: acceptance(body) }
    case 'malleated copy':
      return { body: malleatedCopyOf(body), cutAnswerAt: 0 }
    default:
      return null
  }
}

const acceptance = (body) =>
  JSON.stringify({ err: 0, result: [{ hash: transactionHash(readTransactionBody(body)), status: 0 }] })

function malleatedCopyOf(body) {
  const [{ sign }] = JSON.parse(body)
  return body.replace(sign, flippedSignature(sign))
}

/** Loses what was written and not synced: the last record, from any byte on. */
export function tear(path, random) {
  const file = readFileSync(path)
  const end = file.lastIndexOf(0x0a) + 1
  const begin = file.lastIndexOf(0x0a, end - 2) + 1
  if (begin === 0) return
  writeFileSync(path, file.fill(0, begin + Math.floor(random() * (end - begin))))
}
