import { factsText } from '@hailstone/mining-node/health'
import { plainJson, plainText } from '@hailstone/protocol'
import { askLine, CommandLineError, callableText, writtenText } from '@hailstone/runtime/node'
import { ENVIRONMENT_KEY } from './environment-key.ts'
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
  /** One line of JSON on standard output. */
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

/** Environment at the start of this process. */
const environment: Terminal['environment'] = { ...process.env }

/** The terminal, or the pipes, of this process. */
export function processTerminal(options: { readonly isJson: boolean }): Terminal {
  const { stdout, stderr, env } = process
  // Reports that Node writes about a crash list the environment, and whatever is started from here inherits it.
  delete env[ENVIRONMENT_KEY]
  const isLive = stdout.isTTY === true && env.TERM !== 'dumb' && env.CI === undefined
  const write = (text: string): void => void stdout.write(text)
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
    tell: (facts) => write(`${plainText(plainJson(factsText(facts).trimEnd()))}\n`),
    warn: (line) => void stderr.write(`${shown(line)}\n`),
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
