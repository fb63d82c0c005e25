import { type ExitName, exits } from '../exit-codes.ts'

/** Result of a check; `skipped` means that it was not made. */
export type Verdict = 'ok' | 'warning' | 'failure' | 'skipped'

export type Finding = {
  readonly check: string
  readonly verdict: Verdict
  /** One sentence. */
  readonly what: string
  /** Empty when nothing needs to be done. */
  readonly nextStep: string
  /** Exit of the command for this finding; null if all is well, and for a check that does not apply. */
  readonly exit: ExitName | null
}

export const ok = (check: string, what: string): Finding => ({
  check,
  verdict: 'ok',
  what,
  nextStep: '',
  exit: null,
})

/** A check that does not apply here, or that an earlier failure makes needless. */
export const skipped = (check: string, what: string): Finding => ({ ...ok(check, what), verdict: 'skipped' })

type Trouble = {
  readonly check: string
  readonly exit: ExitName
  readonly what: string
  /** @default that of the exit code */
  readonly nextStep?: string | undefined
}

const trouble = (verdict: Verdict, { check, exit, what, nextStep }: Trouble): Finding => ({
  check,
  verdict,
  what,
  nextStep: nextStep ?? exits[exit].nextStep,
  exit,
})

/** Mining continues, but earns less than it could. */
export const warning = (given: Trouble): Finding => trouble('warning', given)

/** Nothing is earned like this. */
export const failure = (given: Trouble): Finding => trouble('failure', given)

/** A check that was not made although earning depends on it: nobody knows whether all is well. */
export const unchecked = (given: Trouble): Finding => trouble('skipped', given)
