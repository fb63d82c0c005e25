import { type HealthAccess, type HealthSource, serveHealth } from '@hailstone/mining-node/health'
import { isLoopbackHost } from '@hailstone/runtime'
import { announceProcess } from '@hailstone/runtime/node'
import { parsePlace, parsePort } from './option-values.ts'
import { readSecretFile } from './secret-file.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import type { AtEnd } from './with-endings.ts'

export type HealthOptions = {
  readonly healthPort?: string | undefined
  readonly healthListen?: string | undefined
  readonly healthTokenFile?: string | undefined
  readonly healthAllowHost?: readonly string[] | undefined
}

export type HealthSettings = {
  /** Null serves no health. */
  readonly place: { readonly host: string; readonly port: number } | null
  readonly access: () => HealthAccess
  /** Reads token and names anew, from the same or other files; what is returned makes them hold. */
  readonly prepare: (given: HealthOptions) => Promise<() => void>
}

/** Health that is served. */
export type ServedHealth = {
  readonly port: number
  /** Origin for people, such as `http://127.0.0.1:4420`. */
  readonly url: string
  /** Address at which programs on this machine read its status. */
  readonly statusUrl: string
}

const LOOPBACK = '127.0.0.1'
const WILDCARDS = new Set(['0.0.0.0', '::'])

export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Returns the place that options name: `--health-listen`, or `--health-port` on 127.0.0.1. */
export function healthPlace(
  { healthPort, healthListen }: HealthOptions,
  { environment }: Pick<Terminal, 'environment'>,
): HealthSettings['place'] {
  if (healthPort !== undefined && healthListen !== undefined)
    throw new UsageError('--health-port and --health-listen say the same thing: give one of them.')
  if (healthPort !== undefined) return { host: LOOPBACK, port: parsePort('--health-port', healthPort) }
  const text = healthListen ?? environment.HAILSTONE_HEALTH_LISTEN
  return text === undefined || text === '' ? null : parsePlace('--health-listen', text)
}

/** Returns the token in the file that options or the environment name. */
export async function healthTokenOf(
  { healthTokenFile }: HealthOptions,
  { environment }: Pick<Terminal, 'environment'>,
): Promise<string | undefined> {
  const path = healthTokenFile ?? environment.HAILSTONE_HEALTH_TOKEN_FILE
  if (path === undefined || path === '') return undefined
  const token = (await readSecretFile(path)).trim()
  if (/^[!-~]{24,512}$/.test(token)) return token
  throw new UsageError(
    'The file of --health-token-file should hold one line of 24 to 512 visible ASCII characters, such as `openssl rand -hex 32` prints.',
  )
}

/** Reads where health is served, and who may ask for it. */
export async function healthSettings(
  given: HealthOptions,
  terminal: Pick<Terminal, 'environment'>,
): Promise<HealthSettings> {
  const place = healthPlace(given, terminal)
  const extra =
    given.healthTokenFile === undefined
      ? given.healthAllowHost && '--health-allow-host'
      : '--health-token-file'
  if (place === null && extra !== undefined)
    throw new UsageError(
      `${extra} is about health, which is not served: add --health-port or --health-listen, or leave it out.`,
    )
  const read = async (from: HealthOptions): Promise<HealthAccess> => {
    const token = await healthTokenOf(from, terminal)
    if (token === undefined && place !== null && !isLoopbackHost(bracketed(place.host)))
      throw new UsageError(
        `Other machines can reach ${bracketed(place.host)}: --health-listen needs a token there. Name its file with --health-token-file.`,
      )
    return { token, allowedHosts: from.healthAllowHost }
  }
  let access = place === null ? {} : await read(given)
  return {
    place,
    access: () => access,
    prepare: async (from) => {
      const next = place === null ? {} : await read(from)
      return () => {
        access = next
      }
    },
  }
}

/** Serves health if a place for it is named. */
export async function servedHealth(
  source: HealthSource,
  { place, access }: HealthSettings,
  atEnd: AtEnd,
): Promise<ServedHealth | null> {
  if (place === null) return null
  const server = await serveHealth(source, { ...place, access })
  atEnd(server.stop)
  const { port } = server
  const isOnLoopback = [LOOPBACK, 'localhost', ...WILDCARDS].includes(place.host)
  const url = `http://${bracketed(place.host)}:${port}`
  return { port, url, statusUrl: isOnLoopback ? `http://${LOOPBACK}:${port}/status` : `${url}/status` }
}

/** Lets `hailstone status` find this process, and warns if that cannot be. Returns what ends it. */
export async function announceRunning(
  program: string,
  {
    given,
    served,
    terminal,
  }: {
    readonly given: { readonly data?: string | undefined }
    readonly served: ServedHealth | null
    readonly terminal: Pick<Terminal, 'warn'>
  },
): Promise<() => Promise<void>> {
  const { data } = given
  const { trouble, release } = await announceProcess({ program, data, healthUrl: served?.statusUrl })
  if (trouble !== null) terminal.warn(trouble)
  return release
}
