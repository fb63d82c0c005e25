import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { WebSocketServer } from 'ws'
import { type Goal, type Outcome, outcomeOf } from '../outcome.ts'
import { peerPath, peerVersion } from '../peers.ts'
import { cpuPressure, isQuiet, quietMachine } from '../pressure.ts'
import { seededRandomness } from '../statistics.ts'
import type { Suite } from '../suite.ts'

const here = createRequire(import.meta.url)

type Started = { readonly cpuMs: number; readonly megabytes: number }

/** A process that imports one module and says what that cost. */
async function started(module: string | undefined): Promise<Started> {
  const load = module === undefined ? '' : `await import(${JSON.stringify(addressOf(module))});`
  const tell =
    'const {user,system}=process.cpuUsage();console.log(JSON.stringify({cpuMs:(user+system)/1000,megabytes:process.memoryUsage().rss/1e6}));process.exit(0)'
  const child = spawn(process.execPath, ['--input-type=module', '-e', load + tell], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += String(chunk)
  })
  await once(child, 'close')
  return JSON.parse(text) as Started
}

/** A process whose key is at hand: how long it takes until its hail is at a gateway. */
async function hailedAfterMs(server: WebSocketServer): Promise<number> {
  const { port } = server.address() as AddressInfo
  const program = `
    const { createMiningSession, walletFromPrivateKey } = await import(${JSON.stringify(addressOf(ours))})
    const wallet = walletFromPrivateKey('${'5'.repeat(64)}')
    createMiningSession({ wallet, gatewayUrl: 'ws://127.0.0.1:${port}' }).start()`
  const hailed = once(server, 'connection').then(([socket]) => once(socket, 'message'))
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
  const ended = once(child, 'close')
  const isEarly = await Promise.race([hailed.then(() => false), ended.then(() => true)])
  const tookMs = performance.now() - startedAt
  if (isEarly) throw new Error('a miner ended before it hailed')
  child.kill()
  await ended
  return tookMs
}

const BARE = 'Node alone'
const OURS = 'Hailstone'
const ours = here.resolve('@hailstone/mining-node')
const addressOf = (file: string): string => pathToFileURL(file).href

type Imported = { readonly name: string; readonly file?: string; readonly version?: string }

/** Peers are installed by the time a suite runs, not before. */
const modulesHere = (): readonly Imported[] => [
  { name: BARE },
  { name: OURS, file: ours },
  { name: 'viem', file: peerPath('viem'), version: peerVersion('viem') },
  { name: 'ethers', file: peerPath('ethers'), version: peerVersion('ethers') },
  {
    name: 'elliptic, the core of the web library',
    file: peerPath('elliptic'),
    version: peerVersion('elliptic'),
  },
]

const cpuGoals: readonly Goal[] = [
  { what: 'CPU above bare Node, against ethers', over: OURS, under: 'ethers', atMost: 0.5 },
]
const memoryGoals: readonly Goal[] = [
  { what: 'at most 50 MB resident', over: OURS, under: '1 MB', atMost: 50 },
]
const hailGoals: readonly Goal[] = [{ what: 'within 600 ms', over: OURS, under: '1 ms', atMost: 600 }]

type Taken = {
  readonly modules: readonly Imported[]
  readonly imports: ReadonlyMap<string, readonly Started[]>
  readonly hails: readonly number[]
  readonly pressures: readonly (number | null)[]
  readonly wasQuiet: boolean
}

function outcomes({ modules, imports, hails, pressures, wasQuiet }: Taken): readonly Outcome[] {
  const common = { id: 'P-14', isMoreBetter: false, pressures, wasQuiet }
  const bare = imports.get(BARE) ?? []
  const of = (name: string, sample: (one: Started, round: number) => number): number[] =>
    (imports.get(name) ?? []).map(sample)
  const peers = modules.filter(({ name }) => name !== BARE)
  const aboveBare = ({ cpuMs }: Started, round: number): number =>
    Math.max(0.1, cpuMs - (bare[round]?.cpuMs ?? 0))
  const notes = ['CPU above a bare Node process of the same round']
  const cpuScores = peers.map(({ name, version }) => ({ name, version, samples: of(name, aboveBare) }))
  const memoryScores = modules.map(({ name, version }) => ({
    name,
    version,
    samples: of(name, ({ megabytes }) => megabytes),
  }))
  const oneOf = (name: string): { readonly name: string; readonly samples: readonly number[] } => ({
    name,
    samples: [1],
  })
  const hailScores = [{ name: OURS, samples: hails }, oneOf('1 ms')]
  return [
    outcomeOf({ ...common, title: 'Import', unit: 'CPU ms', scores: cpuScores, goals: cpuGoals, notes }),
    outcomeOf({
      ...common,
      title: 'Memory after the import',
      unit: 'MB',
      scores: [...memoryScores, oneOf('1 MB')],
      goals: memoryGoals,
    }),
    outcomeOf({
      ...common,
      title: 'From the start of a process to its hail',
      unit: 'ms',
      scores: hailScores,
      goals: hailGoals,
    }),
  ]
}

export const coldStart: Suite = {
  name: 'start',
  what: 'P-14: what an import costs, and a miner until it hails',
  run: async ({ settings, tell }) => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
    await once(server, 'listening')
    const modules = modulesHere()
    const imports = new Map(modules.map(({ name }) => [name, [] as Started[]]))
    const hails: number[] = []
    const pressures: (number | null)[] = []
    const randomness = seededRandomness(modules.length)
    let wasQuiet = await quietMachine(settings)
    for (let round = 0; round < settings.rounds; round++) {
      pressures.push(cpuPressure())
      for (const { name, file } of [...modules].sort(() => randomness() - 0.5)) {
        imports.get(name)?.push(await started(file))
      }
      hails.push(await hailedAfterMs(server))
      pressures.push(cpuPressure())
      wasQuiet &&= pressures.slice(-2).every(isQuiet)
      tell(`P-14 round ${round + 1} of ${settings.rounds}`)
    }
    server.close()
    return outcomes({ modules, imports, hails, pressures, wasQuiet })
  },
}
