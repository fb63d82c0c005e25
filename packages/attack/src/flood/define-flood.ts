import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalNetworkOptions } from '@hailstone/local-network'
import type { Attack, AttackContext, Figure } from '../attack.ts'
import { type Child, startChild } from '../child.ts'
import { figuresOf, type ProcessFigures, resetPeak } from '../process-figures.ts'
import type { FloodCounts, FloodTarget } from './flood-target.ts'
import type { HonestFigures } from './honest-process.ts'
import type { NetworkAccess, NetworkFigures } from './network-process.ts'

type FloodDefinition = {
  readonly name: string
  readonly row: string
  readonly what: string
  /** Floods until the signal aborts, then resolves. Runs in the attacker's process. */
  readonly flood: (target: FloodTarget) => Promise<FloodCounts>
  /** Of the network that is flooded, which travels to another process: plain values only. */
  readonly network?: LocalNetworkOptions | undefined
  /** Largest number of open files of the network's process. */
  readonly openFiles?: number | undefined
  /** True if an honest user pays during the flood; its counts are added to those of the flood. @default false */
  readonly pays?: boolean | undefined
  /** Bounds of the network's own figures beside those of every flood. */
  readonly more?: ((given: { readonly counts: FloodCounts }) => readonly Figure[]) | undefined
}

export type Flood = Attack & Pick<FloodDefinition, 'flood'>

export const isFlood = (attack: Attack): attack is Flood => 'flood' in attack

/** The network recovers within this time after the flood has ended. */
const RECOVERY_MS = 10_000
/** Until the honest miner has found its gateway and publishes. */
const WARM_UP_MS = 6000
/** A request that began at the end of a span is settled by then. */
const DEADLINE_MS = 10_500

type Span = { readonly fromMs: number; readonly untilMs: number }
type Scene = { readonly network: Child; readonly honest: Child; readonly access: NetworkAccess }

/**
 * Defines an attack that floods a fresh local network from one process, while an honest miner and an honest reader of
 * the API use it from another. Its figures keep the bounds that hold under any flood.
 */
export function defineFlood(definition: FloodDefinition): Flood {
  const { name, row, what, flood } = definition
  return { name, row, what, flood, run: (context) => runFlood(definition, context) }
}

async function runFlood(definition: FloodDefinition, context: AttackContext): Promise<readonly Figure[]> {
  const { say, seconds } = context
  const scene = await openScene(definition, context)
  const { network, honest, access } = scene
  await pause(WARM_UP_MS, context)
  say('before')
  const before = await span(seconds, context)
  const filesBefore = figuresOf(network.pid)
  resetPeak(network.pid)
  await network.ask('resetLag')

  say('flood')
  const attacker = startChild('flood/attacker-process')
  context.onEnd(attacker.end)
  await attacker.ask('begin', { name: definition.name, target: access })
  if (definition.pays === true) await honest.ask('startPaying')
  const during = await span(seconds, context)
  const floodFigures = figuresOf(network.pid)
  const counted = (await attacker.ask<FloodCounts | null>('stop', undefined, 20_000).catch(() => null)) ?? {}
  await attacker.end()
  const paid = definition.pays === true ? await honest.ask<FloodCounts>('stopPaying').catch(() => ({})) : {}
  const counts = { ...counted, ...paid }

  const inside = network.isRunning()
    ? await network.ask<NetworkFigures>('figures', undefined, 30_000).catch(() => null)
    : null

  say('recovery')
  await pause(RECOVERY_MS, context)
  const filesAfter = figuresOf(network.pid)
  const after = await span(seconds, context)
  await pause(DEADLINE_MS, context)
  const honestIn = (one: Span) => honest.ask<HonestFigures>('between', one)
  return [
    ...figures({
      before: await honestIn(before),
      during: await honestIn(during),
      after: await honestIn(after),
      filesBefore,
      filesAfter,
      peakMegabytes: Math.max(floodFigures.peakMegabytes, figuresOf(network.pid).peakMegabytes),
      openFiles: floodFigures.openFiles,
      longestLagMs: inside?.longestLagMs ?? Number.NaN,
      longestTurnMs: inside?.longestTurnMs ?? Number.NaN,
      isRunning: network.isRunning() && inside !== null,
    }),
    ...Object.entries(counted).map(([name, value]) => ({ name: `attacker: ${name}`, value, unit: '' })),
    ...(definition.more?.({ counts }) ?? []),
  ]
}

async function openScene(definition: FloodDefinition, context: AttackContext): Promise<Scene> {
  const network = startChild('flood/network-process', { openFiles: definition.openFiles })
  context.onEnd(network.end)
  const access = await network.ask<NetworkAccess>('start', definition.network)
  const honest = startChild('flood/honest-process')
  context.onEnd(honest.end)
  await honest.ask('start', access)
  return { network, honest, access }
}

const pause = (ms: number, { signal }: AttackContext): Promise<void> => sleep(ms, undefined, { signal })

async function span(seconds: number, context: AttackContext): Promise<Span> {
  const fromMs = Date.now()
  await pause(seconds * 1000, context)
  return { fromMs, untilMs: Date.now() }
}

const percent = (part: number, whole: number): number => Math.round((100 * part) / whole)

function figures(given: {
  readonly before: HonestFigures
  readonly during: HonestFigures
  readonly after: HonestFigures
  readonly filesBefore: ProcessFigures
  readonly filesAfter: ProcessFigures
  readonly peakMegabytes: number
  readonly openFiles: number
  readonly longestLagMs: number
  readonly longestTurnMs: number
  readonly isRunning: boolean
}): readonly Figure[] {
  const { before, during, after, filesBefore, filesAfter } = given
  const growth = given.peakMegabytes - filesBefore.residentMegabytes
  return [
    { name: 'network still runs', value: given.isRunning ? 1 : 0, unit: '', atLeast: 1 },
    { name: 'publications before', value: before.publications, unit: '', atLeast: 1 },
    {
      name: 'publications kept',
      value: percent(during.publications, before.publications),
      unit: '%',
      atLeast: 50,
    },
    { name: 'API p99 before', value: before.p99Ms, unit: 'ms' },
    { name: 'API p50', value: during.p50Ms, unit: 'ms' },
    { name: 'API p99', value: during.p99Ms, unit: 'ms', atMost: 1000 },
    { name: 'API failures', value: percent(during.failures, during.requests), unit: '%', atMost: 1 },
    { name: 'memory growth', value: growth, unit: 'MB', atMost: 300 },
    { name: 'open files', value: given.openFiles, unit: '' },
    { name: 'longest loop lag', value: given.longestLagMs, unit: 'ms' },
    { name: 'its longest turn of processor time', value: given.longestTurnMs, unit: 'ms' },
    {
      name: 'publications after',
      value: percent(after.publications, before.publications),
      unit: '%',
      atLeast: 80,
    },
    { name: 'API p99 after', value: after.p99Ms, unit: 'ms', atMost: Math.max(500, 2 * before.p99Ms + 100) },
    { name: 'API failures after', value: after.failures, unit: '', atMost: 0 },
    {
      name: 'open files left',
      value: filesAfter.openFiles - filesBefore.openFiles,
      unit: '',
      // Connections of the honest reader come and go.
      atMost: 16,
    },
  ]
}
