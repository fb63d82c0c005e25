import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { type Goal, outcomeOf } from '../outcome.ts'
import { peerPath, peerVersion } from '../peers.ts'
import { cpuPressure, isQuiet, quietMachine } from '../pressure.ts'
import { seededRandomness } from '../statistics.ts'
import type { Suite } from '../suite.ts'

const here = createRequire(import.meta.url)

type Started = { readonly cpuMs: number; readonly megabytes: number }

/** A process that imports one module and says what that cost. */
async function started(module: string | undefined): Promise<Started> {
  const load = module === undefined ? '' : `await import(${JSON.stringify(pathToFileURL(module).href)});`
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

const BARE = 'Node alone'

const goals: readonly Goal[] = [
  { what: 'CPU above bare Node, against ethers', over: 'Hailstone', under: 'ethers', atMost: 0.5 },
]

export const coldStart: Suite = {
  name: 'start',
  what: 'P-14: what an import costs',
  run: async ({ settings, tell }) => {
    const modules: readonly { name: string; file?: string; version?: string }[] = [
      { name: BARE },
      { name: 'Hailstone', file: here.resolve('@hailstone/mining-node') },
      { name: 'viem', file: peerPath('viem'), version: peerVersion('viem') },
      { name: 'ethers', file: peerPath('ethers'), version: peerVersion('ethers') },
      {
        name: 'elliptic, the core of the web library',
        file: peerPath('elliptic'),
        version: peerVersion('elliptic'),
      },
    ]
    const taken = new Map(modules.map(({ name }) => [name, [] as Started[]]))
    const pressures: (number | null)[] = []
    const randomness = seededRandomness(modules.length)
    let wasQuiet = await quietMachine(settings)
    for (let round = 0; round < settings.rounds; round++) {
      pressures.push(cpuPressure())
      for (const { name, file } of [...modules].sort(() => randomness() - 0.5)) {
        taken.get(name)?.push(await started(file))
      }
      pressures.push(cpuPressure())
      wasQuiet &&= pressures.slice(-2).every(isQuiet)
      tell(`P-14 round ${round + 1} of ${settings.rounds}`)
    }
    const bare = taken.get(BARE) ?? []
    const scores = modules.slice(1).map(({ name, version }) => {
      const all = taken.get(name) ?? []
      const samples = all.map(({ cpuMs }, round) => Math.max(0.1, cpuMs - (bare[round]?.cpuMs ?? 0)))
      const megabytes = Math.max(...all.map(({ megabytes }) => megabytes))
      return { name, version, samples, note: `resident at most ${megabytes.toFixed(0)} MB` }
    })
    const notes = ['CPU above a bare Node process of the same round']
    return [
      outcomeOf({
        id: 'P-14',
        title: 'Import',
        unit: 'CPU ms',
        isMoreBetter: false,
        scores,
        goals,
        pressures,
        wasQuiet,
        notes,
      }),
    ]
  },
}
