import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { serveHealth } from '../src/health/serve-health.ts'
import { listenError } from '../src/listen-error.ts'
import { until } from './until.ts'

const source = {
  health: () => ({ isReady: true }),
  status: () => ({ units: 2n ** 64n }),
  metrics: () => 'a 1\n',
}

const ask = (port: number, path: string, host: string, more: object = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host, ...more } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end()
  })

it('G-19: answers programs of this machine and no page that was led here under another name', async () => {
  await using server = await serveHealth(source, { port: 0 })
  const { port } = server
  for (const host of ['127.0.0.1', `localhost:${port}`, '[::1]'])
    expect(await ask(port, '/health', host)).toBe(200)
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example']) {
    expect(await ask(port, '/health', host)).toBe(403)
  }
})

it('wants a token of everybody once other machines can ask, and takes a new one at once', async () => {
  let token = 'first-token-of-24-characters'
  const access = () => ({ token, allowedHosts: ['Miner.example'] })
  await using server = await serveHealth(source, { port: 0, host: '0.0.0.0', access })
  const { port } = server
  const bearer = (given: string) => ({ authorization: `Bearer ${given}` })
  expect(await ask(port, '/livez', 'localhost')).toBe(200)
  for (const path of ['/readyz', '/health', '/status', '/metrics', '/livezz', '//livez', '/other']) {
    expect(await ask(port, path, 'localhost'), path).toBe(401)
  }
  for (const wrong of ['', 'x', `${token}x`, token.slice(1), `${token} ${token}`, 'x'.repeat(10_000)])
    expect(await ask(port, '/readyz', 'localhost', bearer(wrong)), wrong).toBe(401)
  expect(await ask(port, '/readyz', 'localhost', { authorization: `Basic ${token}` })).toBe(401)
  expect(await ask(port, '/readyz', 'localhost', bearer(token))).toBe(200)
  expect(await ask(port, '/readyz', 'miner.example:9', bearer(token))).toBe(200)
  expect(await ask(port, '/readyz', 'evil.example', bearer(token))).toBe(403)
  const old = bearer(token)
  token = 'second-token-of-24-characters'
  expect(await ask(port, '/readyz', 'localhost', old)).toBe(401)
  expect(await ask(port, '/readyz', 'localhost', bearer(token))).toBe(200)
})

it('serves no other machines without a token, and no token that can be guessed', async () => {
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'miner.example'])
    await expect(serveHealth(source, { port: 0, host }), host).rejects.toMatchObject({
      code: 'CONFIGURATION_INVALID',
    })
  for (const token of ['', 'short', 'with a space in it, and long enough', 'ü'.repeat(30)])
    await expect(
      serveHealth(source, { port: 0, host: '0.0.0.0', access: () => ({ token }) }),
    ).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' })
})

it('writes units as text, refuses a port that is taken, and lets go of it', async () => {
  const first = await serveHealth(source, { port: 0 })
  const text = await (await fetch(`http://127.0.0.1:${first.port}/status`)).text()
  expect(JSON.parse(text)).toEqual({ units: '18446744073709551616' })
  await expect(serveHealth(source, { port: first.port })).rejects.toMatchObject({ code: 'PORT_IN_USE' })
  await first.stop()
  await using again = await serveHealth(source, { port: first.port })
  expect(again.port).toBe(first.port)
})

it('says of an address of another machine that it cannot listen there', async () => {
  const access = () => ({ token: 'first-token-of-24-characters' })
  await expect(serveHealth(source, { port: 0, host: '192.0.2.1', access })).rejects.toMatchObject({
    code: 'CONFIGURATION_INVALID',
    message: expect.stringContaining('an address of this machine; found 192.0.2.1'),
  })
})

it.each(['EACCES', 'EPERM'])('says of a port that the system withholds (%s) who gives it', (code) => {
  const cause = Object.assign(new Error(`listen ${code}`), { code })
  expect(listenError(cause, { host: '127.0.0.1', port: 4421 })).toMatchObject({
    ...{ code: 'CONFIGURATION_INVALID', cause },
    message: expect.stringMatching(/"port" should be .*SocketBindAllow.*; found 4421/),
  })
})

it('answers under 1,500 half requests, and keeps few connections', async () => {
  await using server = await serveHealth(source, { port: 0 })
  const { port } = server
  const half: Socket[] = []
  let closed = 0
  try {
    for (let at = 0; at < 1_500; at++) {
      const socket = connect(port, '127.0.0.1')
      socket
        .on('error', () => undefined)
        .on('close', () => {
          closed++
        })
      socket.write(
        at % 2 === 0
          ? 'GET / HTTP/1.1\r\nHo'
          : 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n',
      )
      socket.resume()
      half.push(socket)
    }
    await until(() => closed >= 1_500 - 64, 'the oldest made room')
    expect(await ask(port, '/readyz', 'localhost')).toBe(200)
    await until(() => closed === 1_500, 'the others were too slow')
  } finally {
    for (const socket of half) socket.destroy()
  }
})
