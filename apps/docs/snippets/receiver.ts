import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const secret = process.env['WEBHOOK_SECRET'] ?? 'a secret of both sides'
const port = Number(process.env['PORT'] ?? 8080)
/** Ids that were taken. A real service keeps them where it keeps what they caused. */
const taken = new Set<string>()

createServer(async (request, response) => {
  const body = await text(request)
  const id = String(request.headers['webhook-id'])
  const seconds = String(request.headers['webhook-timestamp'])
  const expected = Buffer.from(
    `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  )
  const found = Buffer.from(String(request.headers['webhook-signature']))
  const isOurs = found.length === expected.length && timingSafeEqual(found, expected)
  const isFresh = Math.abs(Date.now() / 1000 - Number(seconds)) < 300
  if (!isOurs || !isFresh) {
    response.writeHead(401).end()
    return
  }
  if (!taken.has(id)) console.log(body)
  taken.add(id)
  response.writeHead(204).end()
}).listen(port, '127.0.0.1')
