import { factsText } from '@hailstone/mining-node/health'
import { plainJson, plainText } from '@hailstone/protocol'
import {
  askLine,
  CommandLineError,
  callableText,
  unblockTerminal,
  writtenText,
} from '@hailstone/runtime/node'
import { ENVIRONMENT_KEY } from './environment-key.ts'
import { createOutput, type LostLines } from './output.ts'
import { UsageError } from './usage-error.ts'

/** Output mode: redrawn in place, line by line, or JSON. */
type Manner = 'live' | 'plain' | 'json'

/** All that a command has of the world it is run in. */
export type Terminal = {
  readonly manner: Manner
  readonly hasColours: boolean
  readonly columns: () => number
  readonly rows: () => number
  /** Writes text unchanged. Text from a network must have passed `plainText`. */
  readonly write: (text: string) => void
  /** One line on standard output; control characters that a terminal would act on are removed. */
  readonly say: (line: string) => void
  /** One line of JSON on standard output. One about an event begins with the time at which it is written. */
  readonly tell: (facts: object) => void
  /** One line on standard error; control characters that a terminal would act on are removed. */
  readonly warn: (line: string) => void
  /** Everything on standard input, at most 64 KB. */
  readonly readInput: () => Promise<string>
  /** Asks for a line that is not shown while it is typed. Fails when nobody sits there. */
  readonly askSecret: (question: string) => Promise<string>
  /** Asks for a line. Fails when nobody sits there. */
  readonly ask: (question: string) => Promise<string>
  readonly environment: Readonly<Record<string, string | undefined>>
}

const USUAL_COLUMNS = 80
const USUAL_ROWS = 24
const MAX_INPUT_BYTES = 65_536

let isJsonSpoken = false
let isOutlived = false

const lossText = ({ lines, why }: LostLines): string => `${lines} lines before this one were lost: ${why}.`

const stamped = (facts: object): object =>
  'event' in facts ? { at: new Date().toISOString(), ...facts } : facts

const noticeOf = (lost: LostLines): string => {
  const message = lossText(lost)
  if (!isJsonSpoken) return `${message}\n`
  return factsText(stamped({ event: 'linesLost', lines: lost.lines, message }))
}

const standardError = createOutput({
  stream: () => process.stderr,
  notice: (lost) => `${lossText(lost)}\n`,
  onLoss: () => undefined,
})
const standardOutput = createOutput({
  stream: () => process.stdout,
  notice: noticeOf,
  onLoss: (why) => standardError.write(`Lines of standard output are lost: ${why}. They are counted.\n`),
})

/** Lines of this process that could not be written. */
export function lostLines(): LostLines {
  const [out, err] = [standardOutput.lost(), standardError.lost()]
  return { lines: out.lines + err.lines, why: out.why ?? err.why }
}

/** For commands whose work is another one than to print: what their output does not take they do not wait for. */
export function outliveOutput(): void {
  isOutlived = true
  unblockTerminal()
  standardOutput.outlive()
  standardError.outlive()
}

/** Returns true if a command whose work is to print could not print all of it. Streams report it a moment later. */
export async function isOutputLost(): Promise<boolean> {
  await new Promise((resolve) => setImmediate(resolve))
  return !isOutlived && standardOutput.lost().lines > 0
}

/** Environment at the start of this process. */
const environment: Terminal['environment'] = { ...process.env }

/** The terminal, or the pipes, of this process. */
export function processTerminal(options: { readonly isJson: boolean }): Terminal {
  const { stdout, env } = process
  // Reports that Node writes about a crash list the environment, and whatever is started from here inherits it.
  delete env[ENVIRONMENT_KEY]
  const isLive = stdout.isTTY === true && env.TERM !== 'dumb' && env.CI === undefined
  isJsonSpoken = options.isJson
  const { write } = standardOutput
  const shown = (line: string): string => callableText(plainText(line), 'hailstone', environment)
  const say = (line: string): void => write(`${shown(line)}\n`)
  return {
    manner: options.isJson ? 'json' : isLive ? 'live' : 'plain',
    hasColours: isLive && env.NO_COLOR === undefined,
    // Some terminals say 0 when they do not know.
    columns: () => stdout.columns || USUAL_COLUMNS,
    rows: () => stdout.rows || USUAL_ROWS,
    write,
    say,
    tell: (facts) => write(`${plainText(plainJson(factsText(stamped(facts)).trimEnd()))}\n`),
    warn: (line) => standardError.write(`${shown(line)}\n`),
    readInput,
    askSecret: (question) => ask(question, false),
    ask: (question) => ask(question, true),
    environment,
  }
}

async function readInput(): Promise<string> {
  if (process.stdin.isTTY) throw new UsageError('Nothing is piped into standard input.')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_INPUT_BYTES) throw new UsageError('Standard input is too long.')
  }
  return writtenText(Buffer.concat(chunks))
}

/** @throws {UsageError} without a terminal, or after Ctrl-C */
async function ask(question: string, isShown: boolean): Promise<string> {
  if (!process.stdin.isTTY || typeof process.stdin.setRawMode !== 'function')
    throw new UsageError('There is no terminal to ask in; see the options that read files.')
  try {
    return await askLine(question, { isShown })
  } catch (error) {
    throw error instanceof CommandLineError ? new UsageError(error.message) : error
  }
}
