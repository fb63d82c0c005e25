import type { Terminal } from '../terminal.ts'
import { readWebhookTarget, type WebhookTarget } from '../webhook/webhook-settings.ts'
import { type ConfigCommand, keyOf } from './config-keys.ts'
import { mergeConfig } from './merge-config.ts'
import { type Config, parseConfig } from './parse-config.ts'
import { readConfigFile } from './read-config-file.ts'

/** Options of a command line, joined with a file. */
export type LoadedConfig<G extends object> = {
  readonly given: G
  /** Current receiver of webhooks; null without one. */
  readonly webhook: () => WebhookTarget | null
  /** Reads the file again. */
  readonly reload: () => Promise<Reload<G>>
}

/** A file that was read again, and not yet taken. */
type Reload<G extends object> = {
  readonly given: G
  /** Keys that changed and hold from the next start on. */
  readonly afterRestart: readonly string[]
  readonly take: () => void
}

/** Options that a running process takes anew. */
const RELOADABLE = new Set(['healthTokenFile', 'healthAllowHost'])

/** Reads one file as one command sees it. */
const readConfig = async (path: string, command: ConfigCommand): Promise<Config> =>
  parseConfig(await readConfigFile(path), path, command)

/**
 * Reads the file that `--config` names.
 *
 * @throws {CommandFailure} that names the setting and no value
 */
export async function loadConfig<G extends { readonly config?: string | undefined }>(
  command: ConfigCommand,
  flags: G,
  { environment }: Pick<Terminal, 'environment'>,
): Promise<LoadedConfig<G>> {
  const path = flags.config
  if (path === undefined) {
    const unchanged = { given: flags, afterRestart: [], take: () => undefined }
    return { given: flags, webhook: () => null, reload: async () => unchanged }
  }
  const read = async () => {
    const config = await readConfig(path, command)
    const webhook = config.webhook === null ? null : await readWebhookTarget(config.webhook)
    return { config, webhook, given: mergeConfig(flags, config, environment) }
  }
  const first = await read()
  let current = first
  return {
    given: first.given,
    webhook: () => current.webhook,
    reload: async () => {
      const next = await read()
      return {
        given: next.given,
        afterRestart: [
          ...changedKeys(first.given, next.given),
          // Whoever began without a receiver keeps no events.
          ...(first.webhook === null && next.webhook !== null ? ['webhook'] : []),
        ],
        take: () => {
          current = next
        },
      }
    },
  }
}

function changedKeys(before: object, after: object): readonly string[] {
  const [old, now] = [
    new Map<string, unknown>(Object.entries(before)),
    new Map<string, unknown>(Object.entries(after)),
  ]
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => !RELOADABLE.has(name))
    .filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)))
    .map(keyOf)
}
