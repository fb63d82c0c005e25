// A mistake in the program is not the network's fault, and is reported as such.
import { createClient } from '@hailstone/client'

globalThis.fetch = (() => (undefined as unknown as { json(): never }).json()) as unknown as typeof fetch
const client = createClient({ apiUrl: process.env.API_URL ?? '' })
console.log(await client.getHeight().catch((error: Error) => error.name))
