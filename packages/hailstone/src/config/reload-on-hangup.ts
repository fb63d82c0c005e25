import { isNodeError } from '@hailstone/protocol'
import { stampText } from '../clock-text.ts'
import { CommandFailure } from '../command-failure.ts'
import type { HealthOptions, HealthSettings } from '../health-options.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { takeHangups } from './hold-hangups.ts'
import type { LoadedConfig } from './load-config.ts'

/**
 * Reads the configuration file again at SIGHUP. All of it is taken or nothing: a file with a fault changes no setting.
 * Without a file, SIGHUP ends a process that has a terminal.
 *
 * @returns the end of it
 */
export function reloadOnHangup<
  G extends HealthOptions & { readonly config?: string | undefined },
>(parameters: {
  readonly loaded: LoadedConfig<G>
  readonly health: HealthSettings
  readonly terminal: Terminal
  readonly onTaken?: (() => void) | undefined
}): () => void {
  const { loaded, health, terminal, onTaken } = parameters
  if (loaded.given.config === undefined) return () => undefined

  async function reload(): Promise<void> {
    try {
      const next = await loaded.reload()
      const takeHealth = await health.prepare(next.given)
      next.take()
      takeHealth()
      onTaken?.()
      const later = next.afterRestart
      report('configReloaded', `The configuration was read again.${laterText(later)}`, {
        afterRestart: later,
      })
    } catch (error) {
      report('configRefused', `The configuration was not taken, and nothing changed: ${reasonOf(error)}`)
    }
  }

  function report(event: string, sentence: string, facts: object = {}): void {
    if (terminal.manner === 'json') terminal.tell({ event, message: sentence, ...facts })
    else terminal.warn(`${stampText()}  ${sentence}`)
  }

  let queue = Promise.resolve()
  return takeHangups(() => {
    queue = queue.then(reload)
  })
}

const laterText = (keys: readonly string[]): string =>
  keys.length === 0 ? '' : ` From the next start on: ${keys.join(', ')}.`

const reasonOf = (error: unknown): string =>
  isNodeError(error) || error instanceof UsageError || error instanceof CommandFailure
    ? error.message
    : 'it cannot be read.'
