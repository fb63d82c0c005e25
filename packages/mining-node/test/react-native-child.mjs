// Run with the condition `react-native`: mines to a reward with what React Native has.
import { request } from 'node:http'
import { WebSocket } from 'ws'

const [apiUrl, gatewayUrl, key] = process.argv.slice(2)

class FewSignal extends EventTarget {
  aborted = false
}

/** As that of React Native, which drops the reason. */
class FewController {
  signal = new FewSignal()
  abort() {
    if (this.signal.aborted) return
    this.signal.aborted = true
    this.signal.dispatchEvent(new Event('abort'))
  }
}

/** Answers without a stream. */
const plainFetch = (url, { method = 'GET', headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => {
        const got = { get: (name) => answer.headers[name] ?? null }
        resolve({ status: answer.statusCode, url, redirected: false, headers: got, text: async () => text })
      })
    })
    asked.on('error', reject)
    signal?.addEventListener('abort', () => asked.destroy(new Error('Aborted')))
    asked.end(body ?? undefined)
  })

const lacks = ['MessageChannel', 'DOMException', 'Worker', 'indexedDB', 'ReadableStream', 'TextDecoder']
for (const name of lacks) Object.defineProperty(globalThis, name, { value: undefined })
Object.assign(globalThis, { WebSocket, fetch: plainFetch })
Object.assign(globalThis, { AbortController: FewController, AbortSignal: FewSignal })

const { createClient } = await import('@hailstone/client')
const { createMiningNode, walletFromPrivateKey } = await import('@hailstone/mining-node')
const wallet = walletFromPrivateKey(key)
const client = createClient({ apiUrl })
const node = createMiningNode({ wallet, client, gatewayUrl, blockTimeMs: 500 })
const rewarded = new Promise((resolve) => node.on('rewarded', resolve))
node.on('failed', ({ error }) => console.error(error.code, error.message, error.cause))
await node.start()
const { amount } = await rewarded
await node.close()
const controller = new AbortController()
const height = client.getHeight({ signal: controller.signal }).catch((error) => error.name)
controller.abort()
console.log(JSON.stringify({ amount: String(amount), aborted: await height }))
await client.close()
