// Takes webhooks: those of this bot, and of any other sender of Standard Webhooks that has the secret.
import { createServer, type IncomingMessage } from 'node:http'
import { settings } from './settings.ts'
import { verifiedId } from './webhook.ts'

const MAX_BODY_BYTES = 65_536

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

// A webhook may arrive twice, for instance when an answer is lost. A service keeps the ids in its database.
const seen = new Set<string>()

async function statusFor(request: IncomingMessage): Promise<number> {
  const { pathname } = new URL(settings.webhookUrl)
  if (request.method !== 'POST' || request.url !== pathname) return 404
  const body = await bodyOf(request)
  if (body === null) return 413
  const id = verifiedId(settings.webhookSecret, request.headers, body)
  if (id === null) return 401
  if (!seen.has(id)) console.log(`webhook      ${body}`)
  seen.add(id)
  return 204
}

const server = createServer((request, response) => {
  statusFor(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  )
})
server.listen(Number(new URL(settings.webhookUrl).port), '127.0.0.1')

/** Ends the receiver. */
export const closeReceiver = (): void => {
  server.close()
  server.closeAllConnections()
}
