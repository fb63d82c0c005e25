import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { keptPlaceOf, placeFlags } from '@hailstone/database'
import { isLoopbackHost } from '@hailstone/runtime'
import { CommandLineError, outliveTerminal, readCommandLine } from '@hailstone/runtime/node'
import { RefusedError } from './people/refused-error.ts'

// The rest is read once the words are known to be right: it takes a second of a processor.

const HELP = `npm run console – who mines a token, what it pays, and why a reward did not come

  --port N      port of the page, on this machine alone     [4460]
  --api URL     API of a network to read; with --token      [a network of this machine with a population]
  --token ID    token that is shown, 64 hex digits            [that of --brand]
  --brand DIR   folder of a brand, whose name, colours and icon the page has
  --data DIR    keeps the tables of --api between runs      [in memory]
  --database U  keeps them on a PostgreSQL server, postgres://…
  --database-file F  the same, with the URL read from a file or from HAILSTONE_DATABASE: arguments can be
                read by everybody on this machine
  --days N      days of the population                      [90]
  --host A      address to listen on                        [127.0.0.1]
  --allow-host N  name beyond this machine by which people reach it over https; can be given again
  --proxy A     address of a proxy on another machine that says whom it asks for; can be given again
  --allow-webhook H  host of an inner network, or host:port, that webhooks of alerts may go to; can be given again
  --smtp-file F  file with smtps://user:password@host, for alerts by mail
  --mail-from A  sender of these mails
  --oidc-file F  file with a provider of OpenID Connect by which people sign in too
  --help        this text

Without --api it plays a population of 400 people first, which takes a minute or two.
"people --help" says how people with names and passwords are added.`

const flags = {
  port: { type: 'string', default: '4460' },
  api: { type: 'string' },
  token: { type: 'string' },
  brand: { type: 'string' },
  ...placeFlags,
  days: { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  'allow-host': { type: 'string', multiple: true, default: [] as string[] },
  proxy: { type: 'string', multiple: true, default: [] as string[] },
  'smtp-file': { type: 'string' },
  'mail-from': { type: 'string' },
  'oidc-file': { type: 'string' },
  'allow-webhook': { type: 'string', multiple: true, default: [] as string[] },
  help: { type: 'boolean', short: 'h', default: false },
} as const

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

async function run(words: readonly string[]): Promise<void> {
  if (words[0] === 'people' || words[0] === 'tokens')
    return (await import('./people/people-command.ts')).runPeopleCommand(words)
  const { values } = readCommandLine({ args: [...words], options: flags })
  if (values.help) return void process.stdout.write(`${HELP}\n`)
  const brand =
    values.brand === undefined
      ? undefined
      : await (await import('./brand-look.ts')).readBrandLook(resolve(values.brand))
  const shownToken = values.token ?? (values.api === undefined ? undefined : brand?.tokenId)
  if ((values.api === undefined) !== (shownToken === undefined))
    throw new CommandLineError('--api and --token are used together.')
  if (brand !== undefined && shownToken !== undefined && shownToken !== brand.tokenId)
    throw new CommandLineError(
      `--token is ${shownToken}, and the brand is one of the token ${brand.tokenId}. Leave --token out, or take another brand.`,
    )
  const port = wholeNumber('--port', values.port, { from: 0, to: 65_535 })
  const days = wholeNumber('--days', values.days ?? '90', { from: 8, to: 90 })
  if (values.days !== undefined && values.api !== undefined)
    throw new CommandLineError('--days is about a played population: use it without --api.')
  const { folder, database, warnings } = keptPlaceOf(values, process.env)
  const { host, 'allow-host': allowedHosts, proxy: proxies } = values
  const isKeptInTables = (folder ?? database) !== undefined
  if (isKeptInTables && values.api === undefined)
    throw new CommandLineError(
      `${database === undefined ? '--data' : '--database, --database-file or HAILSTONE_DATABASE'} keeps the tables of a network: name it with --api and --token. A played population is in memory.`,
    )
  for (const warning of warnings) process.stderr.write(`${warning}\n`)
  if ((!isLoopbackHost(host) || allowedHosts.length > 0) && !(isKeptInTables && values.api !== undefined))
    throw new CommandLineError(
      '--host and --allow-host need people, who stand in tables: use them with --api and with --data or --database.',
    )
  for (const name of allowedHosts)
    if (!/^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(name))
      throw new CommandLineError(`--allow-host is a name alone, without https:// and port; it is "${name}".`)
  if (proxies.length > 0 && allowedHosts.length === 0)
    throw new CommandLineError('--proxy is for names beyond this machine: use it with --allow-host.')
  for (const address of proxies)
    if (isIP(address) === 0) throw new CommandLineError(`--proxy is an IP address; it is "${address}".`)
  const { serveUntilStopped } = await import('./serve-until-stopped.ts')
  await serveUntilStopped({
    ...{ port, host, allowedHosts, proxies, brand, days },
    source:
      values.api === undefined || shownToken === undefined
        ? undefined
        : { apiUrl: values.api, tokenId: shownToken, folder: folder && resolve(folder), database },
    allowedWebhooks: values['allow-webhook'],
    mail: { file: values['smtp-file'], from: values['mail-from'] },
    openIdFile: values['oidc-file'],
  })
}

/** Members of an error of the system about a place to listen on. */
type ListeningFault = { readonly code?: string; readonly port?: number; readonly address?: string }

/** Returns why nothing can listen there and what to do, or null if the error is another one. */
function inWordsOfListening({ code, port, address }: ListeningFault): string | null {
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken by another program. Choose another one with --port N.`
  if (code === 'EADDRNOTAVAIL')
    return `This machine has no address ${address}. Choose another one with --host A.`
  if (code === 'EACCES' && port !== undefined)
    return `The system gives port ${port} to administrators alone. Choose one above 1023 with --port N.`
  return null
}

/** Returns the error in words for who typed the command. @throws what is a fault of the program */
async function inWords(cause: unknown): Promise<Error> {
  if (cause instanceof CommandLineError || cause instanceof RefusedError) return cause
  const ofListening = inWordsOfListening(cause as ListeningFault)
  if (ofListening !== null) return new CommandLineError(ofListening)
  const { inWordsOfCommand } = await import('@hailstone/indexer/command')
  const error = inWordsOfCommand(cause)
  if (error !== null) return error
  throw cause
}

/** Runs the command in this process and resolves with its exit code. */
export async function runConsole(words: readonly string[]): Promise<number> {
  outliveTerminal()
  try {
    await run(words)
    return 0
  } catch (cause) {
    const error = await inWords(cause)
    process.stderr.write(`${error.message}\n`)
    return error instanceof CommandLineError ? 2 : 1
  }
}
