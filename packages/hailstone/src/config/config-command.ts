import { isAddress, isReferralCode, isTokenId } from '@hailstone/protocol'
import { chosenNetwork } from '../chosen-network.ts'
import type { Given } from '../command-line.ts'
import { type Exit, exits } from '../exit-codes.ts'
import { healthPlace } from '../health-options.ts'
import { mineSettings } from '../mine.ts'
import { parseCount, parsePlace } from '../option-values.ts'
import type { Terminal } from '../terminal.ts'
import { checkPlainApis } from './check-address.ts'
import { configFailure } from './config-failure.ts'
import { CONFIG_COMMANDS, type ConfigCommand } from './config-keys.ts'
import { configSchema } from './config-schema.ts'
import { type Config, parseConfig } from './parse-config.ts'
import { readConfigFile } from './read-config-file.ts'

/** Checks the token to mine and the agent. */
function checkIds({ token, agent }: Pick<Given<'mine'>, 'token' | 'agent'>): void {
  if (token !== undefined && !isTokenId(token))
    throw configFailure('"token" should be the id of a token: 64 hexadecimal digits, in lower case.')
  if (agent !== undefined && !isReferralCode(agent) && !isAddress(agent.toLowerCase()))
    throw configFailure('"agent" should be a referral code, which begins with ref_, or an address.')
}

/** Checks values as the commands do. The files that they name are not opened. */
function checkValues(command: ConfigCommand, { options }: Config): void {
  const given = options as Given<'mine'> & Given<'fleet'> & Given<'bridge'>
  const nowhere = { environment: {} }
  healthPlace(given, nowhere)
  if (command === 'bridge') {
    if (given.listen !== undefined) parsePlace('listen', given.listen)
    if (given.maxSessions !== undefined) parseCount('max-sessions', given.maxSessions, 1)
    if (given.maxPerAddress !== undefined) parseCount('max-per-address', given.maxPerAddress, 1)
    return
  }
  mineSettings(given)
  if (given.threads !== undefined) parseCount('threads', given.threads, 0)
  checkIds(given)
  if (given.api !== undefined && given.allowInsecure !== true) checkPlainApis(given.api)
  if (['network', 'api', 'gateway', 'bootNode'].some((name) => name in options)) chosenNetwork(given, nowhere)
}

/** Looks at a configuration file without starting anything. */
export async function configCheck(given: Given<'config check'>, terminal: Terminal): Promise<Exit> {
  const table = await readConfigFile(given.argument)
  for (const command of CONFIG_COMMANDS) checkValues(command, parseConfig(table, given.argument, command))
  const { webhook } = parseConfig(table, given.argument, 'mine')
  const events = webhook === null ? [] : [...webhook.events]
  if (terminal.manner === 'json') terminal.tell({ isValid: true, keys: Object.keys(table), events })
  else {
    const { length } = Object.keys(table)
    const settings = `${length} ${length === 1 ? 'setting' : 'settings'}, all known`
    terminal.say(`${settings}${events.length === 0 ? '' : `; webhooks for ${events.join(', ')}`}.`)
  }
  return exits.ok
}

/** Prints the JSON Schema of configuration files, which editors use. */
export function configSchemaCommand(terminal: Terminal): Exit {
  terminal.write(`${JSON.stringify(configSchema(), null, 2)}\n`)
  return exits.ok
}
