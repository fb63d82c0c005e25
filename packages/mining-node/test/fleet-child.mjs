/**
 * A fleet in a process of its own, for what can only be seen from outside. Needs the built package.
 * Arguments: gateway URL, signing threads, file of keys. Prints one line of JSON for each question on stdin.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { getHeapSnapshot } from 'node:v8'
import { createFleet } from '@hailstone/mining-node/fleet'

const [url, signingThreads, keyFile] = process.argv.slice(2)

const keys = () => createInterface({ input: createReadStream(keyFile) })
const fleet = createFleet({
  keys,
  gatewayUrl: url,
  signingThreads: Number(signingThreads),
  randomness: () => Math.random() / 20,
})
const events = []
fleet.subscribe((event) => {
  if (event.type === 'shortage') events.push(event)
})

/** Looks for a text that this process never writes down the right way round. */
async function heapHoldsReversed(reversed) {
  globalThis.gc?.()
  const wanted = Buffer.from(reversed).reverse()
  let tail = Buffer.alloc(0)
  let holds = false
  for await (const chunk of getHeapSnapshot()) {
    const piece = Buffer.concat([tail, Buffer.from(chunk)])
    if (piece.indexOf(wanted) >= 0) holds = true
    tail = Buffer.from(piece.subarray(-wanted.length))
  }
  return holds
}

const answers = {
  health: () => fleet.health(),
  events: () => events,
  // The key is asked for by its reverse: the question itself must not put it into the heap.
  heap: async (reversed) => ({ holds: await heapHoldsReversed(reversed) }),
  stop: async () => {
    await fleet.stop()
    return { stopped: fleet.health().nodes.stopped }
  },
}

await fleet.start()
console.log(JSON.stringify({ started: true }))
for await (const line of createInterface({ input: process.stdin })) {
  const [question, argument] = line.split(' ')
  console.log(
    JSON.stringify(await answers[question](argument), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  )
  if (question === 'stop') break
}
// From here on nothing of ours may keep the process alive.
process.stdin.destroy()
