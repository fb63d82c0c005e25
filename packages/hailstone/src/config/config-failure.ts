import { CommandFailure } from '../command-failure.ts'
import { exits } from '../exit-codes.ts'

/** Returns the failure of a configuration file. The message must not repeat a value. */
export const configFailure = (message: string, nextStep?: string): CommandFailure =>
  new CommandFailure(
    message,
    exits.configuration,
    nextStep ?? 'Correct the file; `hailstone config check FILE` looks at it.',
  )
