import { nearestWord } from '@hailstone/runtime'
import { CommandLineError, readCommandLine } from '@hailstone/runtime/node'
import { attacks } from './attacks/index.ts'
import { isOutcomeKept, listOf, type Outcome, summaryOf, tableOf } from './report.ts'
import { runAttack } from './run-attack.ts'

const WRONG_USAGE = 2

const help = `npm run attack -- [--only NAME]… [--seconds 10] [--json] [--list]

Attacks networks and apps that it starts itself, on loopback alone. Exit code 1 when a bound is broken.

${listOf(attacks)}

  --only NAME    this attack alone; can be given again. A part of a name means all that contain it
  --seconds S    length of each phase of a flood (before, during, after), 10 by default
  --limit S      seconds after which an attack is given up, 180 by default
  --json         one JSON object per attack and line instead of tables
  --list         the attacks with their rows of docs/gates.md
`

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const whisper = (text: string): void => void process.stderr.write(`${text}\n`)

function flags() {
  return readCommandLine({
    options: {
      only: { type: 'string', multiple: true, default: [] as string[] },
      seconds: { type: 'string', default: '10' },
      limit: { type: 'string', default: '180' },
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values
}

/** An exact name, or else all names that contain what was given. */
function chosen(only: readonly string[]) {
  if (only.length === 0) return attacks
  const exact = attacks.filter(({ name }) => only.includes(name))
  const wanted = only.filter((given) => exact.every(({ name }) => name !== given))
  return attacks.filter(
    (attack) => exact.includes(attack) || wanted.some((part) => attack.name.includes(part)),
  )
}

const hintFor = (written: string): string => {
  const near = nearestWord(
    written,
    attacks.map(({ name }) => name),
  )
  return near === undefined ? '' : ` Did you mean ${near}?`
}

async function main(): Promise<number> {
  const given = flags()
  const meant = chosen(given.only)
  const seconds = Number(given.seconds)
  const limit = Number(given.limit)
  if (given.help || given.list) {
    say(given.list ? listOf(meant) : help)
    return 0
  }
  if (meant.length === 0 || !(seconds > 0) || !(limit > 0)) {
    whisper(
      meant.length === 0
        ? `There is no attack ${given.only.join(', ')}.${hintFor(given.only[0] ?? '')}\n`
        : 'Seconds are numbers above 0.\n',
    )
    whisper(help)
    return WRONG_USAGE
  }
  const interrupt = new AbortController()
  process.once('SIGINT', () => interrupt.abort())
  process.once('SIGTERM', () => interrupt.abort())
  const outcomes: Outcome[] = []
  for (const attack of meant) {
    if (interrupt.signal.aborted) break
    whisper(`${attack.name}: ${attack.what}`)
    const outcome = await runAttack(attack, {
      seconds,
      limitMs: limit * 1000,
      say: (line) => whisper(`  … ${line}`),
      interrupted: interrupt.signal,
    })
    outcomes.push(outcome)
    say(given.json ? JSON.stringify({ ...outcome, kept: isOutcomeKept(outcome) }) : `${tableOf(outcome)}\n`)
  }
  if (!given.json) say(summaryOf(outcomes))
  return outcomes.length === meant.length && outcomes.every(isOutcomeKept) ? 0 : 1
}

try {
  process.exit(await main())
} catch (error) {
  if (!(error instanceof CommandLineError)) throw error
  whisper(`${error.message}\n\n${help}`)
  process.exit(WRONG_USAGE)
}
