import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { createClient, isNodeError, parseTokenId } from '@hailstone/client'
import { openIndex } from '@hailstone/indexer'
import { inWordsOfCommand } from '@hailstone/indexer/command'
import {
  type LocalNetwork,
  type Population,
  playPopulation,
  startLocalNetwork,
} from '@hailstone/local-network'
import { isLoopbackHost } from '@hailstone/runtime'
import { CommandLineError, readCommandLine } from '@hailstone/runtime/node'
import { openAlerts } from './alerts/alerts.ts'
import { readMail } from './alerts/send-mail.ts'
import { createWebhookGate } from './alerts/webhook-gate.ts'
import { readBrandLook } from './brand-look.ts'
import { follow } from './follow.ts'
import { createLabels, labelPopulation } from './labels.ts'
import { openFollower } from './open-follower.ts'
import { runPeopleCommand } from './people/people-command.ts'
import { RefusedError } from './people/refused-error.ts'
import { serveConsole } from './serve-console.ts'

const HELP = `npm run console – who mines a token, what it pays, and why a reward did not come

  --port N      port of the page, on this machine alone     [4460]
  --api URL     API of a network to read; with --token      [a network of this machine with a population]
  --token ID    token that is shown, 64 hex digits            [that of --brand]
  --brand DIR   folder of a brand, whose name, colours and icon the page has
  --data DIR    keeps the tables of --api between runs      [in memory]
  --database U  keeps them on a PostgreSQL server, postgres://…
  --days N      days of the population                      [90]
  --host A      address to listen on                        [127.0.0.1]
  --allow-host N  name beyond this machine by which people reach it over https; can be given again
  --proxy A     address of a proxy on another machine that says whom it asks for; can be given again
  --allow-webhook H  host of an inner network, or host:port, that webhooks of alerts may go to; can be given again
  --smtp-file F  file with smtps://user:password@host, for alerts by mail
  --mail-from A  sender of these mails
  --help        this text

Without --api it plays a population of 400 people first, which takes a minute or two.
"people --help" says how people with names and passwords are added.`

const SECONDS_PER_DAY = 86_400

const flags = {
  port: { type: 'string', default: '4460' },
  api: { type: 'string' },
  token: { type: 'string' },
  brand: { type: 'string' },
  data: { type: 'string' },
  database: { type: 'string' },
  days: { type: 'string', default: '90' },
  host: { type: 'string', default: '127.0.0.1' },
  'allow-host': { type: 'string', multiple: true, default: [] as string[] },
  proxy: { type: 'string', multiple: true, default: [] as string[] },
  'smtp-file': { type: 'string' },
  'mail-from': { type: 'string' },
  'allow-webhook': { type: 'string', multiple: true, default: [] as string[] },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const say = (text: string): void => void process.stdout.write(`${text}\n`)

function wholeNumber(
  flag: string,
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number < from || number > to)
    throw new CommandLineError(`${flag} should be a whole number from ${from} to ${to}; it is "${text}".`)
  return number
}

type Source = {
  readonly apiUrl: string
  readonly tokenId: string
  readonly population: Population | undefined
  readonly network: LocalNetwork | undefined
}

/** A network of this machine, with a population up to the last midnight. */
async function startPopulation(days: number): Promise<Source> {
  say(`Playing ${days} days of a population …`)
  const midnight = Math.floor(Date.now() / 1000 / SECONDS_PER_DAY) * SECONDS_PER_DAY
  const { dump, population } = await playPopulation({
    ...{ days, startTime: midnight - days * SECONDS_PER_DAY },
    onDay: (day) => {
      if ((day + 1) % 30 === 0) say(`  day ${day + 1} of ${days}`)
    },
  })
  const network = await startLocalNetwork({ load: dump, control: true })
  return { apiUrl: network.apiUrl, tokenId: population.token.id, population, network }
}

async function run(words: readonly string[]): Promise<void> {
  if (words[0] === 'people' || words[0] === 'tokens') return runPeopleCommand(words)
  const { values } = readCommandLine({ args: [...words], options: flags })
  if (values.help) return say(HELP)
  const brand = values.brand === undefined ? undefined : await readBrandLook(resolve(values.brand))
  const shownToken = values.token ?? (values.api === undefined ? undefined : brand?.tokenId)
  if ((values.api === undefined) !== (shownToken === undefined))
    throw new CommandLineError('--api and --token are used together.')
  if (brand !== undefined && shownToken !== undefined && shownToken !== brand.tokenId)
    throw new CommandLineError(
      `--token is ${shownToken}, and the brand is one of the token ${brand.tokenId}. Leave --token out, or take another brand.`,
    )
  const port = wholeNumber('--port', values.port, { from: 0, to: 65_535 })
  const days = wholeNumber('--days', values.days, { from: 8, to: 90 })
  const { host, 'allow-host': allowedHosts, proxy: proxies } = values
  const isKeptInTables = values.data !== undefined || values.database !== undefined
  if ((!isLoopbackHost(host) || allowedHosts.length > 0) && !(isKeptInTables && values.api !== undefined))
    throw new CommandLineError(
      '--host and --allow-host need people, who stand in tables: use them with --api and with --data or --database.',
    )
  for (const name of allowedHosts)
    if (!/^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(name))
      throw new CommandLineError(`--allow-host is a name alone, without https:// and port; it is "${name}".`)
  for (const address of proxies)
    if (isIP(address) === 0) throw new CommandLineError(`--proxy is an IP address; it is "${address}".`)
  const gate = createWebhookGate({
    allowedHosts: values['allow-webhook'],
    // Who reaches the console from elsewhere may not reach this machine through it.
    allowsLoopback: isLoopbackHost(host) && allowedHosts.length === 0,
  })
  const mail = await readMail({ file: values['smtp-file'], from: values['mail-from'] })
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  const { apiUrl, tokenId, population, network } =
    values.api === undefined || shownToken === undefined
      ? await startPopulation(days)
      : { apiUrl: values.api, tokenId: shownToken, population: undefined, network: undefined }
  const isKept = network === undefined
  const place = {
    folder: isKept && values.data !== undefined ? resolve(values.data) : undefined,
    database: isKept ? values.database : undefined,
  }
  try {
    await using index = await openIndex(place)
    await createLabels(index)
    if (population !== undefined) await labelPopulation(index.queries, population)
    await using client = createClient({ apiUrl })
    const { signal } = ending
    await using follower = await openFollower({ index, client, tokenId: parseTokenId(tokenId), signal })
    const alerts = await openAlerts({ follower, gate, mail })
    await using server = await serveConsole({ follower, alerts, brand, port, host, allowedHosts, proxies })
    const isByName = await server.hasPeople()
    say(`Console of ${follower.token.symbol}, read from ${apiUrl}\n`)
    say(`  ${isByName ? server.url : server.signInUrl()}\n`)
    say(
      `${isByName ? 'People sign in by name.' : 'The link signs in once, within 15 minutes.'} Ctrl-C ends it.`,
    )
    if (population !== undefined) say(describePlayed(population, network?.controlUrl))
    await Promise.all([follow({ follower, alerts }, signal), alerts.deliver(signal)])
  } finally {
    await network?.stop()
  }
}

const describePlayed = (
  { fates, accounts, token }: Population,
  controlUrl: string | null | undefined,
): string =>
  [
    '',
    'People whose reward did not come, for the page "One account":',
    ...Object.entries(fates).map(([name, address]) => `  ${name.padEnd(16)} ${address}`),
    '',
    `To send somebody ${token.symbol}, pay with the treasury of this network:`,
    `  address          ${accounts.treasury.address}`,
    `  private key      ${accounts.treasury.privateKey}`,
    `To move its clock or its chain, ask ${controlUrl}.`,
  ].join('\n')

/** Runs the command in this process and resolves with its exit code. */
export async function runConsole(words: readonly string[]): Promise<number> {
  try {
    await run(words)
    return 0
  } catch (cause) {
    const error = inWordsOfCommand(cause)
    if (!isNodeError(error) && !(error instanceof CommandLineError) && !(error instanceof RefusedError))
      throw error
    process.stderr.write(`${error.message}\n`)
    return error instanceof CommandLineError ? 2 : 1
  }
}
