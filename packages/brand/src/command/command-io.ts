/** Terminal and environment of a command, replaced in tests. */
export type CommandIo = {
  readonly cwd: string
  /** Folder of the white-label app that the command came with. Undefined: it is resolved from `cwd`. */
  readonly shellFolder?: string | undefined
  readonly write: (line: string) => void
  readonly complain: (line: string) => void
  /** Undefined if there is no interactive terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
}

/** 0: done. 1: errors in the brand or the arguments. 2: something was unreachable. */
export type ExitCode = 0 | 1 | 2
