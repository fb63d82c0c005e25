import { resolve } from 'node:path'
import { canParseUrl, isLoopbackHost } from '@hailstone/runtime'
import { parseWebhookSecret } from '@hailstone/runtime/webhook'
import { configFailure } from '../config/config-failure.ts'
import { readSecretFile } from '../secret-file.ts'

/** Events that a webhook can be told. */
export const WEBHOOK_EVENTS = [
  'stopped',
  'notReady',
  'ready',
  'rewarded',
  'referralRewarded',
  'reverted',
  'paymentSettled',
  'lowStake',
] as const
/** Older name of `reverted`. Receivers that asked for it get it. */
export const OLDER_REVERTED = 'rewardReverted'
export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number] | typeof OLDER_REVERTED

/** Table `[webhook]` of a configuration file. */
export type WebhookSettings = {
  readonly url: string
  readonly secretFile: string
  readonly events: ReadonlySet<WebhookEventName>
}

/** Receiver of webhooks: its settings, with the secret that signs. */
export type WebhookTarget = WebhookSettings & { readonly secret: Buffer }

const WEBHOOK_KEYS = ['url', 'secret-file', 'events'] as const

/** Refusals that hold for all tables of a file. */
type Refusals = {
  readonly folder: string
  readonly refuseSecret: (key: string, value: unknown) => void
  readonly unknownKey: (key: string, known: Iterable<string>) => never
}

/** @throws {CommandFailure} naming the setting, never its value */
export function parseWebhookTable(
  table: unknown,
  { folder, refuseSecret, unknownKey }: Refusals,
): WebhookSettings {
  if (typeof table !== 'object' || table === null || Array.isArray(table) || table instanceof Date)
    throw configFailure('"webhook" should be a table with url, secret-file and events.')
  const given = new Map<string, unknown>(Object.entries(table))
  for (const [key, value] of given) {
    refuseSecret(key, value)
    if (!WEBHOOK_KEYS.some((known) => known === key)) unknownKey(key, WEBHOOK_KEYS)
  }
  const secretFile = given.get('secret-file')
  if (typeof secretFile !== 'string' || secretFile === '')
    throw configFailure('"webhook.secret-file" is needed: a receiver believes what is signed alone.')
  return {
    url: parseWebhookUrl(given.get('url')),
    secretFile: resolve(folder, secretFile),
    events: parseEvents(given.get('events') ?? WEBHOOK_EVENTS, unknownKey),
  }
}

/** Paths and queries of receivers often hold a secret, so no message repeats them. */
function parseWebhookUrl(text: unknown): string {
  if (typeof text !== 'string' || text.length > 2_048 || !/^https?:\/\//i.test(text) || !canParseUrl(text))
    throw configFailure('"webhook.url" is needed: an address that begins with https://.')
  const url = new URL(text)
  if (url.username + url.password !== '')
    throw configFailure('"webhook.url" carries user or password; what is sent is signed instead.')
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw configFailure('"webhook.url" should begin with https://: plain http is for this machine alone.')
  url.hash = ''
  return url.href
}

function parseEvents(list: unknown, unknownKey: Refusals['unknownKey']): ReadonlySet<WebhookEventName> {
  if (!Array.isArray(list) || list.length === 0 || !list.every((one) => typeof one === 'string'))
    throw configFailure(`"webhook.events" should be a list of: ${WEBHOOK_EVENTS.join(', ')}.`)
  const isEvent = (name: string): name is WebhookEventName =>
    [...WEBHOOK_EVENTS, OLDER_REVERTED].some((one) => one === name)
  return new Set(list.map((name: string) => (isEvent(name) ? name : unknownKey(name, WEBHOOK_EVENTS))))
}

/**
 * Reads the secret that signs: `whsec_` and 24 to 64 bytes in base64, as Standard Webhooks has it.
 *
 * @throws {NodeError | CommandFailure} if the file cannot be used, or can be read by others
 */
export async function readWebhookTarget(settings: WebhookSettings): Promise<WebhookTarget> {
  const secret = parseWebhookSecret((await readSecretFile(settings.secretFile)).trim())
  if (secret === null)
    throw configFailure(
      'The file of "webhook.secret-file" should hold whsec_ and 24 to 64 bytes in base64.',
      'Make one: (umask 077; echo "whsec_$(openssl rand -base64 32)" > webhook.secret)',
    )
  return { ...settings, secret }
}
