import { createServer } from 'node:http'
import { get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type CertificateKind, openTlsFront } from '../src/open-tls-front.ts'

const server = createServer((_, response) => response.end('{"height":2}'))
const sockets = new WebSocketServer({ server })
const urlOf = (scheme: string): string => `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  sockets.close()
  server.close()
})

/** Status of the answer, or the code of the refusal. */
const ask = (url: string, ca?: string): Promise<string> =>
  new Promise((resolve) => {
    const options = { agent: false, ...(ca === undefined ? {} : { ca }) }
    get(`${url}/height`, options, (answer) => resolve(String(answer.resume().statusCode))).on(
      'error',
      (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message),
    )
  })

const greet = (url: string, ca: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, { ca })
    socket.on('open', () => {
      socket.terminate()
      resolve('open')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })

const outcomes: Readonly<Record<CertificateKind, string>> = {
  valid: '200',
  expired: 'CERT_HAS_EXPIRED',
  notYetValid: 'CERT_NOT_YET_VALID',
  wrongHost: 'ERR_TLS_CERT_ALTNAME_INVALID',
  selfSigned: 'DEPTH_ZERO_SELF_SIGNED_CERT',
}

test.each(Object.entries(outcomes) as [CertificateKind, string][])(
  'a certificate that is %s: a client that trusts the authority sees %s',
  async (certificate, outcome) => {
    await using front = await openTlsFront({ to: urlOf('http'), certificate })
    expect(await ask(front.url, front.authority)).toBe(outcome)
  },
)

test('a client that does not know the authority refuses it', async () => {
  await using front = await openTlsFront({ to: urlOf('http'), certificate: 'valid' })
  expect(await ask(front.url)).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
})

test('a server of web sockets stands behind one as well', async () => {
  await using front = await openTlsFront({ to: urlOf('ws'), certificate: 'valid' })
  expect(await greet(front.url, front.authority)).toBe('open')
  await using expired = await openTlsFront({ to: urlOf('ws'), certificate: 'expired' })
  expect(await greet(expired.url, expired.authority)).toBe('CERT_HAS_EXPIRED')
})
