import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  dataFolder,
  isRunning,
  type RunningDemo,
  startDemo,
  startDemoInTerminal,
  startOrphan,
} from './demo-process.ts'

const CTRL_C = '\x03'
const isLinux = process.platform === 'linux'
/** Processes between the demo and the one that started it. */
const between: readonly ('a shell' | 'nothing')[] = isLinux ? ['a shell', 'nothing'] : ['nothing']

describe('the end of the demo', () => {
  it.runIf(isLinux)('Ctrl-C in a terminal, heard twice, stops everything and leaves no lock', async () => {
    await using data = await dataFolder()
    const demo = startDemoInTerminal({ dataDirectory: data.folder })
    const processId = Number((await demo.printed(/process (\d+)/))[1])
    await demo.printed(/Ctrl-C stops everything/)
    expect(data.isLocked()).toBe(true)
    demo.child.stdin?.write(CTRL_C)
    // As npm passes it on.
    process.kill(processId, 'SIGINT')
    process.kill(processId, 'SIGINT')
    expect(await demo.exitCode).toBe(0)
    expect(isRunning(processId)).toBe(false)
    expect(data.isLocked()).toBe(false)
  })

  it('two signals during the start stop what was started', async () => {
    await using data = await dataFolder()
    const demo = startDemo({ dataDirectory: data.folder })
    await demo.printed(/process \d+/)
    demo.child.kill('SIGINT')
    demo.child.kill('SIGTERM')
    expect(await demo.exitCode).toBe(0)
    expect(data.isLocked()).toBe(false)
  })

  it('--exit-after-reward that is interrupted says so by its code, without waiting for its time limit', async () => {
    await using data = await dataFolder()
    const demo = startDemo({ dataDirectory: data.folder, exitAfterReward: true, timeLimitMs: 3_600_000 })
    await demo.printed(/Agent connected/)
    demo.child.kill('SIGINT')
    expect(await demo.exitCode).toBe(130)
    expect(data.isLocked()).toBe(false)
  })

  it.each(between)(
    'it ends by itself when whoever started it was killed, with %s between them',
    async (way) => {
      await using data = await dataFolder()
      const demo = startOrphan({ dataDirectory: data.folder }, way)
      const processId = Number((await demo.printed(/process (\d+)/))[1])
      await demo.printed(/Agent connected/)
      demo.child.kill('SIGKILL')
      // Its output is closed when the last process that holds it is gone.
      await demo.exitCode
      while (isRunning(processId)) await new Promise((resolve) => setTimeout(resolve, 20))
      expect(data.isLocked()).toBe(false)
    },
  )

  it('the lock of a demo that was killed is taken over', async () => {
    await using data = await dataFolder()
    const killed = startDemo({ dataDirectory: data.folder })
    await killed.printed(/Agent connected/)
    killed.child.kill('SIGKILL')
    await killed.exitCode
    expect(data.isLocked()).toBe(true)
    const demo = startDemo({ dataDirectory: data.folder, exitAfterReward: true })
    expect(await demo.exitCode).toBe(0)
    expect(demo.output()).toMatch(
      /First reward of the miner: +[\d.]+ DEV in block \d+ for microblock [0-9a-f]{64}/,
    )
    expect(demo.output()).toMatch(/First referral reward of the agent: +[\d.]+ DEV in block \d+/)
    expect(data.isLocked()).toBe(false)
  })

  it('prints the funded accounts; a second one on the same chain is told to end the first or take another folder', async () => {
    await using data = await dataFolder()
    const first = startDemo({ dataDirectory: data.folder })
    await first.printed(/Agent connected/)
    const keys = first.output().match(/^ {4}key {5}[0-9a-f]{64}$/gm)
    expect(keys).toHaveLength(5)
    expect(first.output()).toMatch(/^ {2}developer 1 {2}[\d.]+ DEV {2}\(Agent\)$/m)
    expect(first.output()).toMatch(/^Sample app +http:\/\/127\.0\.0\.1:\d+\//m)
    const second = startDemo({ dataDirectory: data.folder })
    expect(await second.exitCode).toBe(1)
    expect(second.output()).toMatch(/in use by process \d+/)
    // The whole line that starts one beside it.
    expect(second.output()).toMatch(
      /npm start -- --data \S+-2 --port 0 --gateway-port 0 --sample-port 0 --app-port 0/,
    )
    first.child.kill('SIGTERM')
    expect(await first.exitCode).toBe(0)
  })
})

describe('what keeps the demo from starting', () => {
  const flags = {
    apiPort: '--port',
    gatewayPort: '--gateway-port',
    samplePort: '--sample-port',
    appPort: '--app-port',
  } as const
  it.each(Object.entries(flags))('a port in use: %s', async (option, flag) => {
    await using data = await dataFolder()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const demo = startDemo({ dataDirectory: data.folder, [option]: port })
    expect(await demo.exitCode).toBe(1)
    expect(demo.output()).toMatch(
      new RegExp(`Port ${port}, which the demo uses for its [\\w ]+, is taken by another program`),
    )
    expect(demo.output()).toMatch(/npm start -- --data \S+-2 --port 0/)
    expect(demo.output()).toContain(`npm start -- ${flag} 0`)
    expect(data.isLocked()).toBe(false)
    other.close()
  })

  it('another seed than that of the kept chain: --reset is mentioned, and none goes on with it', async () => {
    await using data = await dataFolder()
    const options = { dataDirectory: data.folder }
    const expectStarts = async (demo: RunningDemo): Promise<void> => {
      await demo.printed(/Agent connected/)
      demo.child.kill('SIGTERM')
      expect(await demo.exitCode).toBe(0)
    }
    await expectStarts(startDemo({ ...options, seed: 'mine' }))
    const other = startDemo({ ...options, seed: 'yours' })
    expect(await other.exitCode).toBe(1)
    expect(other.output()).toContain('"mine"')
    expect(other.output()).toContain('--reset')
    await expectStarts(startDemo(options))
  })
})
