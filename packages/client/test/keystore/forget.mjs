// Opens a key, signs with it and lets go of it; then looks for it in the memory that is left.
import { readFileSync } from 'node:fs'
import { getHeapSnapshot } from 'node:v8'
import { createFileKeystore } from '../../dist/node.js'

const { path, password, fields } = JSON.parse(readFileSync(0, 'utf8'))

async function sign() {
  const { wallet } = await createFileKeystore({ path }).unlock({ password })
  wallet.signTransaction({ ...fields, amount: BigInt(fields.amount) })
  // Held on purpose, to see that the search finds it.
  return process.argv[2] === 'hold' ? wallet : null
}

globalThis.held = await sign()
await new Promise((done) => setTimeout(done, 1000))
globalThis.gc()
globalThis.gc()
for await (const chunk of getHeapSnapshot()) process.stdout.write(chunk)
