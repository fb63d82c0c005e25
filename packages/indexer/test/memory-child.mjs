// Indexes a chain into one database after another, as its own process. It prints the largest memory and the live heap
// after each index, in MB: the API and the databases are other processes.
import { readFileSync } from 'node:fs'
import { createClient } from '@hailstone/client'
import { openIndex, openWriter } from '../dist/index.js'

const { apiUrl, tokenId, databases } = JSON.parse(process.argv[2])
const client = createClient({ apiUrl })
const heaps = []
const heights = []
for (const database of databases) {
  const index = await openIndex({ database })
  const writer = await openWriter({ index, client, tokenIds: [tokenId] })
  heights.push((await writer.step()).height)
  await writer[Symbol.asyncDispose]()
  await index.close()
  globalThis.gc()
  heaps.push(process.memoryUsage().heapUsed / 2 ** 20)
}
await client.close()
// The largest resident size of this program. `maxRSS` also counts that of the process that forked it.
const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))
process.stdout.write(JSON.stringify({ heights, heaps, largest: kilobytes / 1024 }))
