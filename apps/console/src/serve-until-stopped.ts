import { once } from 'node:events'
import { createServer } from 'node:net'
import { createClient, parseTokenId } from '@hailstone/client'
import { closeSoonAfter, openIndex } from '@hailstone/indexer'
import { plainText } from '@hailstone/protocol'
import { isLoopbackHost } from '@hailstone/runtime'
import { announceProcess } from '@hailstone/runtime/node'
import { openAlerts } from './alerts/alerts.ts'
import { readMail, type SendMail } from './alerts/send-mail.ts'
import { createWebhookGate, type WebhookGate } from './alerts/webhook-gate.ts'
import type { BrandLook } from './brand-look.ts'
import { follow } from './follow.ts'
import { openLabelTables } from './labels/label-tables.ts'
import { createLabels, labelPopulation } from './labels/labels.ts'
import { openFollower } from './open-follower.ts'
import { type OpenIdSettings, readOpenIdSettings } from './people/open-id-client.ts'
import type { PlayedNetwork } from './play-network.ts'
import { serveConsole } from './serve-console.ts'
import { tellTrouble } from './tell-trouble.ts'

export type ServeUntilStoppedParameters = {
  /** Network to read, its token, and where the tables are kept; undefined plays a population on this machine. */
  readonly source:
    | {
        readonly apiUrl: string
        /** 64 hex digits. */
        readonly tokenId: string
        /** Folder of the tables; undefined keeps them in memory or in `database`. */
        readonly folder: string | undefined
        readonly database: string | undefined
      }
    | undefined
  /** Days of the played population, 8 to 90. */
  readonly days: number
  readonly brand: BrandLook | undefined
  readonly port: number
  readonly host: string
  readonly allowedHosts: readonly string[]
  readonly proxies: readonly string[]
  /** Hosts of an inner network that webhooks of alerts may go to. */
  readonly allowedWebhooks: readonly string[]
  readonly mail: { readonly file: string | undefined; readonly from: string | undefined }
  /** File with a provider of OpenID Connect. */
  readonly openIdFile: string | undefined
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const complain = (text: string): void => void process.stderr.write(`${plainText(text)}\n`)

/** Where the shown chain is read, and where its tables are kept. */
type Shown = Pick<PlayedNetwork, 'apiUrl' | 'tokenId'> &
  Partial<Pick<PlayedNetwork, 'population'>> & {
    readonly folder?: string | undefined
    readonly database?: string | undefined
    /** Lines that are printed once the console answers. */
    readonly notes?: string
  }

type Served = Omit<ServeUntilStoppedParameters, 'mail' | 'openIdFile'> & {
  readonly openId: OpenIdSettings | undefined
  readonly gate: WebhookGate
  readonly mail: SendMail | undefined
}

/**
 * Follows the chain and serves the console. Resolves after SIGINT or SIGTERM, when everything is closed.
 *
 * @throws {CommandLineError} if the mail server's file or the sender cannot be used
 */
export async function serveUntilStopped(parameters: ServeUntilStoppedParameters): Promise<void> {
  const { source, days, allowedWebhooks, host, allowedHosts } = parameters
  const gate = createWebhookGate({
    allowedHosts: allowedWebhooks,
    // Who reaches the console from elsewhere may not reach this machine through it.
    allowsLoopback: isLoopbackHost(host) && allowedHosts.length === 0,
  })
  const mail = await readMail(parameters.mail, complain)
  const { openIdFile } = parameters
  const openId = openIdFile === undefined ? undefined : await readOpenIdSettings(openIdFile, complain)
  if (source !== undefined) return serve(source, { ...parameters, gate, mail, openId })
  // Otherwise it would be known only after a minute that another program has the port.
  await assertFree(parameters)
  // Loading the network takes 15 MB, which a console of another network does not need.
  const { describePlayed, playNetwork } = await import('./play-network.ts')
  await using played = await playNetwork({ days, say })
  await serve({ ...played, notes: describePlayed(played) }, { ...parameters, gate, mail, openId })
}

/** @throws EADDRINUSE if another program listens there */
async function assertFree({ port, host }: { readonly port: number; readonly host: string }): Promise<void> {
  const server = createServer().listen({ port, host })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/** Time, in ms, after a signal until the process is ended. A database that does not answer would keep it while tables are opened. */
const LEAVING_MS = 4000

/** Serves until a signal; one that comes while the console opens ends it as well. */
async function serve(shown: Shown, served: Served): Promise<void> {
  const ending = new AbortController()
  const end = (): void => {
    setTimeout(() => process.exit(0), LEAVING_MS).unref()
    ending.abort()
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end)
  await serveUntil(ending.signal, shown, served).catch((error: unknown) => {
    if (!ending.signal.aborted) throw error
  })
}

async function serveUntil(
  signal: AbortSignal,
  { apiUrl, tokenId, folder, database, population, notes }: Shown,
  { gate, mail, ...served }: Served,
): Promise<void> {
  await using index = await openIndex({ folder, database })
  closeSoonAfter(signal, index)
  if (population !== undefined) await labelPopulation(createLabels(await openLabelTables(index)), population)
  await using client = createClient({ apiUrl })
  await using follower = await openFollower({ index, client, tokenId: parseTokenId(tokenId), signal })
  const alerts = await openAlerts({ follower, gate, mail })
  await using server = await serveConsole({ ...served, follower, alerts })
  const healthUrl = new URL('/health', server.url).href
  await using announced = await announceProcess({ program: 'console', healthUrl })
  if (announced.trouble !== null) complain(announced.trouble)
  const isByName = await server.hasPeople()
  say(`Console of ${follower.token.symbol}, read from ${apiUrl}\n`)
  say(`  ${isByName ? server.url : server.signInUrl()}\n`)
  say(
    `${isByName ? 'People sign in by name.' : 'The link signs in once, within 15 minutes.'} Ctrl-C ends it.`,
  )
  if (notes !== undefined) say(notes)
  tellTrouble(follower, complain)
  await Promise.all([follow({ follower, alerts }, signal), alerts.deliver(signal)])
}
