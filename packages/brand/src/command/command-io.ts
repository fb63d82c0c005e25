/** What a command may touch besides files: so that tests can watch it. */
export type CommandIo = {
  readonly cwd: string
  readonly write: (line: string) => void
  readonly complain: (line: string) => void
  /** Undefined when nobody sits at the terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
}

/** 0 done, 1 errors in the brand or the words of the command, 2 something could not be reached. */
export type ExitCode = 0 | 1 | 2
