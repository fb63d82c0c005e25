import { join, relative } from 'node:path'
import { checkBrandFolder } from '../files/check-brand-folder.ts'
import { findBrandFolder } from '../files/find-brand-folder.ts'
import { findShell, shellCatalogue } from '../files/find-shell.ts'
import { loadBrandConfig } from '../files/load-brand-config.ts'
import { writeBrandFile } from '../files/write-brand-file.ts'
import { mergeLayers } from '../layers/merge-layers.ts'
import { valueAt } from '../layers/path.ts'
import { copyPlainData, isPlainObject, type PlainData, type PlainObject } from '../layers/plain-data.ts'
import { shellDefaults } from '../layers/shell-defaults.ts'
import { environmentNames } from '../schema/layer-schema.ts'
import { onlineFindings } from './check-command.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import { type CommandWords, UsageError } from './command-options.ts'
import { settingsOf } from './differences.ts'
import { countLine, exitCodeOf, findingLines } from './print-findings.ts'

type Route = { readonly from: string; readonly to: (typeof environmentNames)[number] }

/**
 * Takes the settings of one environment over into a later one, shows in sentences what changes and what stays
 * different, checks the result as the later environment, and writes it after a yes. What belongs to a network stays:
 * addresses, token, agent.
 */
export async function promoteCommand(words: CommandWords, io: CommandIo): Promise<ExitCode> {
  const route = routeOf(words)
  const [name, ...more] = words.positionals
  if (more.length > 0) throw new UsageError(`promote takes one brand; ${more[0]} is too much.`)
  const shell = await findShell(io)
  const folder = await findBrandFolder(name, io.cwd, shell)
  const { config, fileName, findings: loading } = await loadBrandConfig(folder)
  const { data, findings: copying } = copyPlainData(config)
  if (fileName === null || !isPlainObject(data) || copying.length > 0) {
    for (const line of findingLines([...loading, ...copying])) io.complain(line)
    io.complain('Nothing was written: fix the errors first.')
    return 1
  }
  const wanted = promoted(data, route, words.flags)
  for (const line of sentences(data, wanted, route)) io.write(line)
  const { target } = words
  const catalogue = await shellCatalogue(shell)
  const report = await checkBrandFolder({ folder, environment: route.to, target, catalogue, config: wanted })
  const findings = [...report.findings, ...(await onlineFindings(report, words))]
  for (const line of findingLines(findings)) io.write(line)
  io.write(`${report.brand?.id ?? 'brand'} (${route.to}, ${target}): ${countLine(findings)}`)
  const code = exitCodeOf(findings)
  if (code !== 0) {
    const hint = `The settings of ${route.to} can be given here, as --set network.preset=mainnet --set token.hash=HASH.`
    io.complain(`Nothing was written: fix the errors first. ${hint}`)
    return code
  }
  const file = relative(io.cwd, join(folder, fileName))
  if (layerOf(data, route.to) === layerOf(wanted, route.to)) {
    io.write(`Nothing to do: ${file} stays as it is.`)
    return 0
  }
  if (words.values['dry-run'] === true) {
    io.write('Nothing was written: --dry-run.')
    return 0
  }
  if (words.values.yes !== true && !(await isAgreed(file, io))) return 1
  if (!(await writeBrandFile({ folder, fileName, before: data, config: wanted }))) {
    io.complain(`${file} was changed meanwhile: nothing was written. Run the command again.`)
    return 1
  }
  io.write(`${file} is written; the file before is ${file}.before.`)
  io.write(`Next: \`hailstone-brand build\` with --env ${route.to}.`)
  return 0
}

function routeOf({ values: { from = 'dev', to = 'prod' } }: CommandWords): Route {
  const [start, end] = [from, to].map((word) => environmentNames.findIndex((one) => one === word))
  const target = environmentNames.find((one) => one === to)
  if (start === undefined || end === undefined || start < 0 || target === undefined) {
    const wrong = target === undefined ? `--to "${to}"` : `--from "${from}"`
    throw new UsageError(`Environments are ${environmentNames.join(', ')}; found ${wrong}.`)
  }
  if (start >= end)
    throw new UsageError(`A brand goes from dev to staging to prod, not from ${from} to ${to}.`)
  return { from, to: target }
}

async function isAgreed(file: string, io: CommandIo): Promise<boolean> {
  if (io.ask === undefined) {
    io.complain('Nothing was written: there is no terminal to ask at. Add --yes to write, or --dry-run.')
    return false
  }
  const answer = (await io.ask(`Write this into ${file}? (y/N) `)).trim().toLowerCase()
  if (answer === 'y' || answer === 'yes') return true
  io.write('Nothing was written.')
  return false
}

/** Returns the settings of an environment, unchanged by reference. */
const layerOf = (brand: PlainObject, environment: string): PlainData | undefined =>
  valueAt(brand, ['environments', environment])

const objectOf = (value: PlainData | undefined): PlainObject => (isPlainObject(value) ? value : {})

/** Returns all settings in an environment, defaults included. */
function effective(brand: PlainObject, environment: string): PlainObject {
  const { environments: _, $schema: __, ...base } = brand
  return mergeLayers([shellDefaults, base, objectOf(layerOf(brand, environment))])
}

/** Leaves out what belongs to a network: each environment has its own. */
function withoutNetwork({ network: _, token: __, referral, ...rest }: PlainObject): PlainObject {
  const { defaultAgent: ___, ...shared } = objectOf(referral)
  return Object.keys(shared).length === 0 ? rest : { ...rest, referral: shared }
}

/** Returns the settings of a layer that differ from those in effect, or null. */
function news(layer: PlainObject, current: PlainObject): PlainObject | null {
  const members = Object.entries(layer).flatMap(([key, value]) => {
    const old = current[key]
    const fresh = isPlainObject(value) ? news(value, objectOf(old)) : value
    const isSame = isPlainObject(value) ? fresh === null : JSON.stringify(value) === JSON.stringify(old)
    return isSame || fresh === undefined ? [] : [[key, fresh] as const]
  })
  return members.length === 0 ? null : Object.fromEntries(members)
}

function promoted(brand: PlainObject, { from, to }: Route, flags: unknown): PlainObject {
  const set = objectOf(copyPlainData(flags).data)
  const taken = mergeLayers([withoutNetwork(objectOf(layerOf(brand, from))), set])
  const fresh = news(taken, effective(brand, to))
  if (fresh === null) return brand
  const environments = objectOf(brand.environments)
  return {
    ...brand,
    environments: { ...environments, [to]: mergeLayers([objectOf(environments[to]), fresh]) },
  }
}

function sentences(before: PlainObject, after: PlainObject, { from, to }: Route): readonly string[] {
  const [old, fresh, source] = [effective(before, to), effective(after, to), effective(after, from)].map(
    settingsOf,
  ) as [ReadonlyMap<string, string>, ReadonlyMap<string, string>, ReadonlyMap<string, string>]
  const paths = (...sides: readonly ReadonlyMap<string, string>[]) =>
    [...new Set(sides.flatMap((side) => [...side.keys()]))].toSorted()
  const changes = paths(old, fresh).flatMap((path) => {
    const [was, is] = [old.get(path), fresh.get(path)]
    if (was === is) return []
    if (is === undefined) return [`  ${path} was ${was} in ${to} and is removed.`]
    return was === undefined
      ? [`  ${path} was not set in ${to} and becomes ${is}.`]
      : [`  ${path} was ${was} in ${to} and becomes ${is}.`]
  })
  const kept = paths(source, fresh).flatMap((path) => {
    const [there, here] = [source.get(path), fresh.get(path)]
    const say = (value: string | undefined): string => value ?? 'not set'
    return there === here ? [] : [`  ${path} is ${say(there)} in ${from} and ${say(here)} in ${to}.`]
  })
  return [
    ...(changes.length === 0
      ? [`Nothing changes in ${to}: it has every setting of ${from} that is not of a network.`]
      : [`From ${from} to ${to} these settings change:`, ...changes]),
    ...(kept.length === 0 ? [] : [`${from} and ${to} stay different in:`, ...kept]),
  ]
}
