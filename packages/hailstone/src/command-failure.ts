import type { Exit } from './exit-codes.ts'

/** Failure of a command that has its own exit code and next step. Its message contains no secret. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exit: Exit
  readonly nextStep: string

  constructor(message: string, exit: Exit, nextStep: string, options?: ErrorOptions) {
    super(message, options)
    this.exit = exit
    this.nextStep = nextStep
  }
}
