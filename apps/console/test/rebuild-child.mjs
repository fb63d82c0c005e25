// Rebuilds an index as its own process, which the test ends with kill -9. It stands still before or after a statement that
// the test names by its first words, or after the commit that follows it.
import { writeSync } from 'node:fs'
import { createClient } from '@hailstone/client'
import { rebuildIndex } from '@hailstone/indexer'

const { apiUrl, tokenId, place, stop } = JSON.parse(process.argv[2])
const drivers = new URL('../../../packages/database/node_modules/', import.meta.url)
const { PGlite } = await import(new URL('@electric-sql/pglite/dist/index.js', drivers))
const { default: pg } = await import(new URL('pg/esm/index.mjs', drivers))
let left = stop.nth
let isMet = false

/** Does nothing more, its connection included, until it is killed or the test is gone. */
function standStill() {
  const { ppid } = process
  const never = new Int32Array(new SharedArrayBuffer(4))
  writeSync(1, 'stopped\n')
  while (process.ppid === ppid) Atomics.wait(never, 0, 0, 1000)
  process.exit(1)
}

for (const { prototype } of [PGlite, pg.Client]) {
  const { query } = prototype
  prototype.query = function (statement, ...values) {
    const text = String(statement?.text ?? statement).trim()
    const isEnd = isMet && text === 'commit'
    const isThere = text.startsWith(stop.words) && --left === 0
    isMet ||= isThere
    if (isThere && stop.when === 'before') standStill()
    const answer = query.call(this, statement, ...values)
    return (isThere && stop.when === 'after') || isEnd ? answer.then(standStill) : answer
  }
}

const client = createClient({ apiUrl })
await rebuildIndex({ place, client, tokenIds: [tokenId] })
await client.close()
