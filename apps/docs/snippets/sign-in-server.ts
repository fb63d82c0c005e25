import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { verifySignIn } from '@hailstone/client'

const host = 'shop.example'
const app = 'https://mine.shop.example'
const nonces = new Set<string>()

createServer(async (request, response) => {
  if (request.url === '/sign-in' && request.method === 'GET') {
    const nonce = randomUUID()
    nonces.add(nonce)
    setTimeout(() => nonces.delete(nonce), 300_000).unref()
    const expires = String(Date.now() + 300_000)
    const asked = new URLSearchParams({ page: `https://${host}/signed-in`, nonce, expires })
    // The nonce belongs to this browser: nobody else's answer signs it in. `__Host-`: no other host of the domain sets it.
    const cookie = `__Host-nonce=${nonce}; Path=/; Max-Age=300; HttpOnly; Secure; SameSite=Strict`
    response.writeHead(303, { location: `${app}/#/sign-in?${asked}`, 'set-cookie': cookie }).end()
    return
  }
  let body = ''
  for await (const part of request) body = (body + part).slice(0, 2_000)
  const proof: unknown = await new Response(body).json().catch(() => null)
  const nonce = /(?:^|; )__Host-nonce=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  // Each nonce is taken once.
  const check = nonces.delete(nonce) ? verifySignIn(proof, { host, nonce }) : null
  response.writeHead(check?.ok ? 200 : 403).end(check?.ok ? check.address : 'not signed in')
}).listen(Number(process.env.PORT ?? 8080))
