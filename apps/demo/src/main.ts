import { isNodeError } from '@hailstone/mining-node'
import { adviceFor } from './advice.ts'
import { watchForEnding } from './ending.ts'
import type { DemoOptions } from './options.mjs'
import { runDemo } from './run-demo.ts'

/** Stopping takes a moment, a start that has to be finished first half a minute on a busy machine; more is a hang. */
const STOP_LIMIT_MS = 90_000

function endHard(why: string): never {
  console.error(why)
  process.exit(1)
}

/**
 * Runs the demo to its end and gives the exit code; failures are printed as sentences.
 *
 * @param parameters.isAlone whether npm, which started the process, is gone
 */
export async function main(
  options: DemoOptions,
  { isAlone }: { readonly isAlone: () => boolean },
): Promise<number> {
  const ending = watchForEnding({
    isAlone,
    onSecondSignal: () =>
      endHard('\nEnded at once. The chain goes on from its last whole block the next time.'),
  })
  void ending.asked.then(() =>
    setTimeout(() => endHard('The demo did not stop in time and was ended.'), STOP_LIMIT_MS).unref(),
  )
  try {
    return await runDemo(options, ending)
  } catch (error) {
    const isOurs = isNodeError(error) || (error instanceof Error && !(error instanceof TypeError))
    console.error(isOurs ? `\n${adviceFor(error, options)}` : error)
    return 1
  }
}
