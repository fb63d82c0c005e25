import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../mining-node/test/until.ts'

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
const key = sha256Hex('key of the output')
const { address } = walletFromPrivateKey(key)

let network: LocalNetwork
let folder = ''
let keyFile = ''
let where: readonly string[] = []
const children: ChildProcess[] = []
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'output', blockTimeMs: 500 })
  await network.control.fund(address, 1_000n * 10n ** 10n)
  folder = mkdtempSync(join(tmpdir(), 'hailstone-output-'))
  keyFile = join(folder, 'key')
  writeFileSync(keyFile, `${key}\n`, { mode: 0o600 })
  where = ['--api', network.apiUrl, '--gateway', network.gatewayUrl, '--block-time', '500ms']
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'close')
  }
})
afterAll(async () => {
  await network.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a shell line in which `"$@"` is the command. */
function startIn(line: string, words: readonly string[]) {
  const data = join(folder, randomUUID())
  mkdirSync(data)
  const child = spawn('sh', ['-c', line, 'sh', process.execPath, bin, ...words], {
    env: { PATH: process.env.PATH ?? '', HOME: folder, HAILSTONE_DATA: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += String(chunk)
    })
  return { child, said: () => said, ended: once(child, 'close').then(([code]) => code as number | null) }
}

type Status = {
  readonly lostLines?: number
  readonly publications?: { readonly included: number }
  readonly nodes?: { readonly mining: number }
  readonly processId?: number
}
const statusAt = (port: number): Promise<Status> =>
  fetch(`http://127.0.0.1:${port}/status`).then(
    (answer) => answer.json() as Promise<Status>,
    () => ({}),
  )

const works = {
  mine: {
    words: () => ['mine', ...where, '--key-file', keyFile],
    goesOn: ({ publications }: Status, before: Status) =>
      (publications?.included ?? 0) > (before.publications?.included ?? 0) + 1,
  },
  fleet: {
    words: () => ['fleet', ...where, '--keys-file', keyFile],
    goesOn: ({ nodes }: Status) => nodes?.mining === 1,
  },
  bridge: {
    words: () => ['bridge', '--upstream', network.gatewayUrl, '--listen', '127.0.0.1:0'],
    goesOn: ({ processId }: Status) => processId !== undefined,
  },
}
const names = ['mine', 'fleet', 'bridge'] as const

/** True if this system lets the tests mount file systems. */
const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

describe('whatever becomes of its output', () => {
  it.each(names)(
    '%s goes on where every write fails, counts the lines, and ends when it is asked',
    async (name) => {
      const port = await freePort()
      const { words, goesOn } = works[name]
      const { child, ended } = startIn('exec "$@" > /dev/full 2>&1', [
        ...words(),
        '--health-port',
        String(port),
      ])
      await until(async () => ((await statusAt(port)).lostLines ?? 0) > 0, 'a line is lost', 30_000)
      const before = await statusAt(port)
      await until(async () => goesOn(await statusAt(port), before), 'it goes on', 60_000)
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      expect(metrics).toMatch(/^hailstone_lost_lines_total [1-9]/m)
      expect(child.exitCode).toBeNull()
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    },
  )

  it.runIf(canMount)('mine tells on a disk that has room again how many lines were lost', async () => {
    const port = await freePort()
    const line =
      'mount -t tmpfs -o size=64k none /mnt && head -c 65536 /dev/zero > /mnt/filler; "$@" > /mnt/log & echo $!; read -r _ < ORDER; rm /mnt/filler; read -r _ < ORDER; cat /mnt/log; kill $!; wait'
    const order = join(folder, 'order')
    spawnSync('mkfifo', [order])
    const words = [...works.mine.words(), '--json', '--health-port', String(port)]
    const { said, ended } = startIn(
      `exec unshare -m sh -c '${line.replaceAll('ORDER', order)}' sh "$@"`,
      words,
    )
    await until(async () => ((await statusAt(port)).lostLines ?? 0) > 2, 'lines are lost', 60_000)
    writeFileSync(order, 'free\n')
    const { publications } = await statusAt(port)
    await until(
      async () => ((await statusAt(port)).publications?.included ?? 0) > (publications?.included ?? 0) + 1,
      'it goes on',
      60_000,
    )
    writeFileSync(order, 'show\n')
    await ended
    const lines = said()
      .split('\n')
      .filter((text) => text.startsWith('{'))
    expect(lines.map((text) => JSON.parse(text))).toContainEqual(
      expect.objectContaining({ event: 'linesLost', message: expect.stringContaining('ENOSPC') }),
    )
  })

  it('mine ends with 0 when its reader went away', async () => {
    const { ended } = startIn('{ "$@"; echo "ended with $?" >&2; } | head -1', works.mine.words())
    expect(await ended).toBe(0)
  })

  it('a question whose answer could not be written does not end with 0', async () => {
    const { ended, said } = startIn('exec "$@" > /dev/full', ['latest', '--api', network.apiUrl])
    expect(await ended).toBe(23)
    expect(said()).toContain('ENOSPC')
  })

  it('a question that was answered ends with 0, whatever became of its warnings', async () => {
    const words = ['wallet', 'export', '--reveal']
    const { ended, said } = startIn(`exec env HAILSTONE_PRIVATE_KEY=${key} "$@" 2> /dev/full`, words)
    expect([await ended, said()]).toEqual([0, `${key}\n`])
  })

  it('mine goes on when its window closes, under nohup', async () => {
    const port = await freePort()
    const { child, said } = startIn('exec nohup "$@"', [...works.mine.words(), '--health-port', String(port)])
    await until(() => said().includes('mining with'), 'it mines', 30_000)
    child.kill('SIGHUP')
    const before = await statusAt(port)
    await until(async () => works.mine.goesOn(await statusAt(port), before), 'it goes on', 60_000)
    child.kill('SIGTERM')
  })

  it('watch goes on when its window closes, without a terminal', async () => {
    const { child, said, ended } = startIn('exec "$@"', [
      'watch',
      'balance',
      address,
      '--api',
      network.apiUrl,
    ])
    await until(() => said().includes('at height'), 'it watches', 30_000)
    child.kill('SIGHUP')
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  it('without a home folder and a user name it says where to name one', async () => {
    const line =
      'exec env -u HOME -u HAILSTONE_DATA setpriv --reuid=51234 --clear-groups --bounding-set=-all --inh-caps=-all "$@"'
    const readable = join(folder, 'key-of-nobody')
    writeFileSync(readable, `${key}\n`, { mode: 0o600 })
    spawnSync('chown', ['51234', readable])
    spawnSync('chmod', ['755', folder])
    const { ended, said } = startIn(line, ['mine', ...where, '--key-file', readable])
    expect([await ended, said()]).toEqual([23, expect.stringMatching(/--data[\s\S]*HAILSTONE_DATA/)])
  })
})
