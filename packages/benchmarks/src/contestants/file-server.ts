/** Serves bodies that the referee puts in, and counts the requests. A POST is answered as JSON-RPC by its `id`. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyText } from '@hailstone/protocol'
import { answerParent } from '../child.ts'

const bodies = new Map<string, string>()
let requests = 0

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

const rpcAnswer = ({ id, method, params }: Call): string => {
  const result = bodies.get(`${method}:${String(params[0] ?? '')}`) ?? bodies.get(method) ?? 'null'
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  requests++
  const send = (status: number, body: string) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  if (request.method === 'POST') {
    const calls = JSON.parse(await textOf(request)) as Call | readonly Call[]
    send(200, Array.isArray(calls) ? `[${calls.map(rpcAnswer).join(',')}]` : rpcAnswer(calls as Call))
    return
  }
  const body = bodies.get(request.url ?? '')
  if (body === undefined) send(404, '{"err":1,"message":"not there"}')
  else send(200, body)
}

const server = createServer((request, response) => void answer(request, response))

answerParent({
  listen: () =>
    new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      )
    }),
  put: (given: Readonly<Record<string, string>>) => {
    for (const [path, body] of Object.entries(given)) bodies.set(path, body)
  },
  requests: () => requests,
  /** Verifies signatures, so that what this takes can be compared with. */
  verify: (signed: readonly Parameters<typeof verifyText>[0][]) => {
    if (!signed.every((one) => verifyText(one))) throw new Error('a signature is not valid')
  },
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
})
