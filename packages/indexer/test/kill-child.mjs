// Brings an index up to the API once, as its own process, which the test ends with kill -9. It prints the name of each
// statement before it is sent, and stands still where the test asks for it.
import { writeSync } from 'node:fs'
import { createClient } from '@hailstone/client'
import { openIndex, openWriter } from '../dist/index.js'

const { apiUrl, tokenId, place, stopAt } = JSON.parse(process.argv[2])
let statements = 0
let isStepping = false

const say = (text) => writeSync(1, `${text}\n`)

/** Does nothing more, its connection included, until it is killed or the test is gone. */
function standStill() {
  const { ppid } = process
  const never = new Int32Array(new SharedArrayBuffer(4))
  say('stopped')
  while (process.ppid === ppid) Atomics.wait(never, 0, 0, 1000)
  process.exit(1)
}

/** Tables and changed columns of a statement, however deep it names them. */
function* namesIn(node) {
  if (typeof node !== 'object' || node === null) return
  if (node.kind === 'TableNode') yield node.table.identifier.name
  if (node.kind === 'ColumnUpdateNode') yield node.column.column.name
  for (const part of Object.values(node)) yield* namesIn(part)
}

const verbOf = ({ kind, sqlFragments }) => (sqlFragments?.[0] ?? kind).trim().split(/[\s(]/)[0]

const beats = new WeakSet()

const plugin = {
  transformQuery({ node, queryId }) {
    if (!isStepping) return node
    const name = [verbOf(node), ...new Set(namesIn(node))].join(' ')
    // A beat comes by time, and is not one of the statements of a step.
    if (name === 'UpdateQueryNode cursor beat') {
      beats.add(queryId)
      return node
    }
    statements++
    say(`statement ${name}`)
    if (stopAt?.before === statements) standStill()
    return node
  },
  async transformResult({ result, queryId }) {
    if (isStepping && !beats.has(queryId) && stopAt?.after === statements) standStill()
    return result
  },
}

const client = createClient({ apiUrl })
const index = await openIndex(place)
const queries = index.queries.withPlugin(plugin)
const writer = await openWriter({ index: { ...index, queries }, client, tokenIds: [tokenId], leaseMs: 0 })
say('walking')
isStepping = true
await writer.step()
isStepping = false
say('done')
await writer[Symbol.asyncDispose]()
await index.close()
await client.close()
