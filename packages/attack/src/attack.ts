/** One measured value of an attack, with the bound that it has to keep. */
export type Figure = {
  readonly name: string
  readonly value: number
  /** For people, such as `ms`, `MB` or `%`. Empty for counts. */
  readonly unit: string
  /** Upper bound. A figure without bounds is only reported. */
  readonly atMost?: number | undefined
  /** Lower bound. */
  readonly atLeast?: number | undefined
}

/** Options that the command passes to an attack. */
export type AttackContext = {
  /** Length of each phase of a flood in seconds. */
  readonly seconds: number
  /** Prints a line of progress. */
  readonly say: (line: string) => void
  /** Aborts when the time of the attack is over or the command is interrupted. */
  readonly signal: AbortSignal
  /** Registers a clean-up. Clean-ups run when the attack ends, the last one first. */
  readonly onEnd: (end: () => Promise<unknown> | unknown) => void
}

/** An attack against a network or app that it starts itself, in another process and on loopback. */
export type Attack = {
  /** Name on the command line, in kebab-case. */
  readonly name: string
  /** Row of docs/gates.md that states the bounds. */
  readonly row: string
  /** The attacker's actions in one line, for the table and `--list`. */
  readonly what: string
  readonly run: (context: AttackContext) => Promise<readonly Figure[]>
}

/** True if the value keeps its bounds. NaN, the value of something that could not be measured, keeps none. */
export function isKept({ value, atMost, atLeast }: Figure): boolean {
  if (atMost === undefined && atLeast === undefined) return true
  return value <= (atMost ?? Number.POSITIVE_INFINITY) && value >= (atLeast ?? Number.NEGATIVE_INFINITY)
}
