import { styleText } from 'node:util'
import {
  type Address,
  addressOf,
  isNodeError,
  parsePrivateKey,
  parseTokenId,
  plainText,
} from '@hailstone/protocol'
import { agentOf } from '../agent-option.ts'
import { chosenNetwork, clientOf } from '../chosen-network.ts'
import type { Given } from '../command-line.ts'
import { processesFolder } from '../data-folder.ts'
import { type Exit, exits } from '../exit-codes.ts'
import { keyLines } from '../fleet-key-file.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { addressOfOptions } from '../wallet-of-options.ts'
import { warnOfOpenGateways } from '../warn-of-open-gateways.ts'
import { examine } from './examine.ts'
import type { Finding, Verdict } from './finding.ts'

const marks: { readonly [V in Verdict]: readonly [word: string, style: Parameters<typeof styleText>[0]] } = {
  ok: ['ok  ', 'green'],
  warning: ['warn', 'yellow'],
  failure: ['FAIL', 'red'],
  skipped: ['–   ', 'dim'],
}

/** Returns the accounts of a file of keys. Lines that are not keys are skipped, as in a fleet. */
async function addressesIn(path: string): Promise<readonly Address[]> {
  const addresses = new Set<Address>()
  for await (const line of keyLines(path)) {
    const address = addressOfLine(line)
    if (address !== null) addresses.add(address)
  }
  return [...addresses]
}

function addressOfLine(line: string): Address | null {
  try {
    return addressOf(parsePrivateKey(line))
  } catch (error) {
    if (isNodeError(error)) return null
    throw error
  }
}

const isUnchecked = ({ verdict, exit }: Finding): boolean => verdict === 'skipped' && exit !== null

const lastLine = (exit: Exit, findings: readonly Finding[]): string => {
  if (exit === exits.ok) return 'Nothing stands in the way.'
  const first = findings.find(({ exit: name }) => name !== null && exits[name] === exit)
  if (first?.verdict !== 'skipped') return `${exit.name}: ${exit.meaning}`
  return `Not everything was looked at: ${findings
    .filter(isUnchecked)
    .map(({ check }) => check)
    .join(', ')}.`
}

/**
 * Returns the exit of the command: that of the first failure, or with `--strict` of the first warning; else that of the
 * first check that was not made.
 */
export function exitOfFindings(findings: readonly Finding[], isStrict: boolean): Exit {
  const failed = findings.find(({ verdict }) => verdict === 'failure')
  const warned = isStrict ? findings.find(({ verdict }) => verdict === 'warning') : undefined
  return exits[(failed ?? warned ?? findings.find(isUnchecked))?.exit ?? 'ok']
}

/** "Why am I not earning?" Looks at everything that earning depends on and says what to do. */
export async function doctor(given: Given<'doctor'>, terminal: Terminal): Promise<Exit> {
  const chosen = chosenNetwork(given, terminal)
  warnOfOpenGateways([...chosen.gatewayUrls, ...chosen.bootNodeUrls], terminal)
  const { keysFile, address, keyFile, keyStdin } = given
  if (keysFile !== undefined && (address !== undefined || keyFile !== undefined || keyStdin === true))
    throw new UsageError('--keys-file names the accounts: leave --address, --key-file and --key-stdin out.')
  const client = chosen.apiUrls.length === 0 ? null : clientOf(chosen)
  const findings: Finding[] = []
  try {
    const context = {
      chosen,
      client,
      address: given.keysFile === undefined ? await addressOfOptions(given, terminal) : undefined,
      fleet: given.keysFile === undefined ? undefined : await addressesIn(given.keysFile),
      tokenId: given.token === undefined ? undefined : parseTokenId(given.token),
      referralAgent: agentOf(given.agent),
      minersFolder: processesFolder(given, terminal),
      nowMs: () => Date.now(),
      signal: new AbortController().signal,
    }
    for await (const finding of examine(context)) {
      findings.push(finding)
      if (terminal.manner !== 'json') showFinding(finding, terminal)
    }
  } finally {
    await client?.close()
  }
  const exit = exitOfFindings(findings, given.strict === true)
  if (terminal.manner === 'json') {
    terminal.tell({ isHealthy: exit === exits.ok, exitCode: exit.number, exitName: exit.name, findings })
  } else {
    terminal.say(lastLine(exit, findings))
  }
  return exit
}

function showFinding(
  { check, verdict, what, nextStep }: Finding,
  { say, write, hasColours }: Terminal,
): void {
  const [word, style] = marks[verdict]
  write(`${hasColours ? styleText(style, word) : word}  ${check.padEnd(9)}  ${plainText(what)}\n`)
  if (nextStep !== '') say(`${' '.repeat(17)}→ ${nextStep}`)
}
