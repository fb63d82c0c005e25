// Brings an index up to the API once, as its own process, which the test ends with kill -9.
import { createClient } from '@hailstone/client'
import { openIndex, openWriter } from '../dist/index.js'

const { apiUrl, tokenId, place } = JSON.parse(process.argv[2])
const client = createClient({ apiUrl })
const index = await openIndex(place)
const writer = await openWriter({ index, client, tokenIds: [tokenId], leaseMs: 0 })
process.stdout.write('walking\n')
await writer.step()
process.stdout.write('done\n')
await writer[Symbol.asyncDispose]()
await index.close()
await client.close()
