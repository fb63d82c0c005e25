import { canParseUrl, isPrivateHost } from '@hailstone/runtime'
import { askHealth } from './ask-health.ts'
import { CommandFailure } from './command-failure.ts'
import type { Given } from './command-line.ts'
import { type Exit, exits } from './exit-codes.ts'
import { bracketed, healthPlace, healthTokenOf } from './health-options.ts'
import { factsIn } from './process-verdict.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const DEFAULT_PLACE = { host: '127.0.0.1', port: 4420 }

/** A process that listens everywhere is asked on loopback. */
function defaultUrl(terminal: Terminal): string {
  const { host, port } = healthPlace({}, terminal) ?? DEFAULT_PLACE
  const asked = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${bracketed(asked)}:${port}`
}

function parseHealthUrl(given: string, allowInsecure: boolean, terminal: Terminal): URL {
  const text = given.startsWith('/') ? `${defaultUrl(terminal)}${given}` : given
  if (!/^https?:\/\/[^@]*$/i.test(text) || !canParseUrl(text))
    throw new UsageError('The address of health begins with http:// or https://, without user and password.')
  const url = new URL(text)
  if (url.protocol === 'http:' && !allowInsecure && !isPrivateHost(url.hostname))
    throw new UsageError(
      `Plain http to ${url.hostname} shows the token to everybody on the way: use https, or allow it with --allow-insecure.`,
    )
  if (url.pathname === '/') url.pathname = '/readyz'
  return url
}

/**
 * Runs `hailstone health`: requests the readiness of a running process, or another path. Images ask `/livez` with it,
 * because they have no curl: no restart makes a network offer microblocks.
 */
export async function health(given: Given<'health'>, terminal: Terminal): Promise<Exit> {
  const url = parseHealthUrl(given.argument ?? '/readyz', given.allowInsecure === true, terminal)
  const token = await healthTokenOf(given, terminal)
  const answer = await askHealth(url, token)
  if (answer === null) throw notRunning(`Nobody answers at ${url.origin}.`)
  if (answer.status === 401)
    throw notRunning(`${url.origin} wants ${token === undefined ? 'a' : 'another'} token.`, TOKEN_STEP)
  if (answer.status === 403)
    throw notRunning(
      `${url.origin} does not answer under this name.`,
      `Start it with --health-allow-host ${url.hostname}.`,
    )
  if (answer.status !== 200 && answer.status !== 503)
    throw notRunning(`${url.origin} answers ${answer.status}, as no miner does.`)
  const isReady = answer.status === 200
  const facts: Facts = factsIn(answer.text)
  const word = url.pathname === '/livez' ? 'live' : isReady ? 'ready' : 'not ready'
  if (terminal.manner === 'json') terminal.tell(word === 'live' ? facts : { isReady, ...facts })
  else terminal.say(sentence(word, facts))
  return isReady ? exits.ok : exits.notReady
}

const TOKEN_STEP = 'Name the file of its token with --health-token-file or HAILSTONE_HEALTH_TOKEN_FILE.'

const notRunning = (message: string, nextStep = exits.notRunning.nextStep): CommandFailure =>
  new CommandFailure(message, exits.notRunning, nextStep)

type Facts = { readonly code?: unknown; readonly why?: unknown; readonly nextStep?: unknown }

function sentence(state: string, { code, why, nextStep }: Facts): string {
  const words = [why, nextStep].filter((word) => typeof word === 'string' && word !== '')
  const name = typeof code === 'string' ? ` (${code})` : ''
  return [`${state}${name}`, ...words].join(' — ')
}
