import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandWorld, createCommandWorld } from './command-child.ts'

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
const key = sha256Hex('hostile terminal')
const payer = walletFromPrivateKey(key).address
const to = walletFromPrivateKey(sha256Hex('receiver of the hostile terminal')).address

/** Up to the line of the amount, over it, other coins, another line, hidden text, direction turned. */
const TICKER = 'D\u001b[2A\r\u001b[2Kamount 1\n\u009b8mfee 0\u202e\u200b\u2028'
const ACTED_ON = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/

let network: LocalNetwork
let world: CommandWorld
let apiUrl = ''
/** An API that gives every token that name, and in errors and texts as well. */
const hostile = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
  const headers = { 'content-type': 'application/json' }
  const url = new URL(request.url ?? '/', network.apiUrl)
  const answer = await fetch(url, { method: request.method ?? 'GET', headers, ...body })
  const text = await answer.text()
  const changed = text.replace(
    /"(ticker|message)":"(?![0-9a-f]{64}")[^"]*"/g,
    (_, name) => `"${name}":${JSON.stringify(TICKER)}`,
  )
  response.writeHead(answer.status, headers).end(changed)
})

beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'hostile terminal', blockTimeMs: 300 })
  world = await createCommandWorld()
  await network.control.fund(payer, 100n * 10n ** 10n)
  hostile.listen(0, '127.0.0.1')
  await once(hostile, 'listening')
  apiUrl = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}${new URL(network.apiUrl).pathname}`
})
afterAll(async () => {
  hostile.close()
  await world[Symbol.asyncDispose]()
  await network.stop()
})

/** Each line of what a person agrees to, once and in order. */
function expectConsent(out: string): void {
  const lines = out.split(/\r?\n/)
  const labels = ['to', 'amount', 'fee', 'arrives', 'token']
  const reported = lines.filter((line) => /^[a-z]+ {2,}/.test(line)).map((line) => line.split(' ', 1)[0])
  expect(reported.slice(0, labels.length)).toStrictEqual(labels)
  expect(lines).toContainEqual(`to        ${to}`)
  expect(lines.find((line) => line.startsWith('amount'))).toMatch(
    /^amount {4}20 D\uFFFD\[2A\uFFFD\uFFFD\[2Kamount 1\uFFFD/,
  )
}

describe('hailstone before a hostile API', () => {
  it('send: shows the consent with nothing that a terminal acts on, through a pipe', async () => {
    const keyFile = await world.keyFile('key', key)
    const args = ['send', '--api', apiUrl, '--key-file', keyFile, '--to', to, '--amount', '20', '--yes']
    const { out, err } = await world.run(args)
    expect(out + err).not.toMatch(ACTED_ON)
    expectConsent(out)
  })

  it.runIf(spawnSync('script', ['--version']).status === 0)(
    'send: and on a real terminal (script)',
    async () => {
      const keyFile = await world.keyFile('key', key)
      const command = `stty -onlcr; ${process.execPath} ${bin} send --api ${apiUrl} --key-file ${keyFile} --to ${to} --amount 20 --yes`
      const env = { ...process.env, HAILSTONE_DATA: `${world.folder}/terminal`, TERM: 'xterm', CI: undefined }
      const child = spawn('script', ['-qec', command, '/dev/null'], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let out = ''
      child.stdout.on('data', (chunk) => {
        out += String(chunk)
      })
      await once(child, 'close')
      expect(out).not.toMatch(ACTED_ON)
      expectConsent(out)
    },
  )

  it('JSON: escapes it, so that programs get it and terminals do not act on it', async () => {
    const { out } = await world.run(['balance', payer, '--api', apiUrl, '--json'])
    expect(out).not.toMatch(ACTED_ON)
    expect(JSON.parse(out)).toMatchObject({ symbol: expect.stringMatching(/^D\uFFFD/) })
  })

  it('doctor, balance and token: nothing that a terminal acts on', async () => {
    for (const words of [
      ['doctor', '--address', payer],
      ['balance', payer],
      ['latest', '--limit', '2'],
    ]) {
      const { out, err } = await world.run([...words, '--api', apiUrl])
      expect(out + err, words[0]).not.toMatch(ACTED_ON)
    }
  })
})
