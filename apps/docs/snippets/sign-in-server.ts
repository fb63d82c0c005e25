import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { verifySignIn } from '@hailstone/client'

const host = 'shop.example'
const nonces = new Set<string>()

createServer(async (request, response) => {
  const nonce = randomUUID()
  if (request.url === '/nonce') {
    nonces.add(nonce)
    setTimeout(() => nonces.delete(nonce), 300_000).unref()
    response.end(JSON.stringify({ nonce }))
    return
  }
  let body = ''
  for await (const part of request) body = (body + part).slice(0, 2_000)
  const proof: unknown = await new Response(body).json().catch(() => null)
  const taken = String(Object(proof).nonce)
  // Each nonce is taken once.
  const check = nonces.delete(taken) ? verifySignIn(proof, { host, nonce: taken }) : null
  response.writeHead(check?.ok ? 200 : 403).end(check?.ok ? check.address : 'not signed in')
}).listen(Number(process.env.PORT ?? 8080))
