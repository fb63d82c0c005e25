import { type ExitName, exits } from '../exit-codes.ts'

/** What a check found: `skipped` means that something else has to be put right first. */
export type Verdict = 'ok' | 'warning' | 'failure' | 'skipped'

export type Finding = {
  readonly check: string
  readonly verdict: Verdict
  /** One sentence. */
  readonly what: string
  /** Empty when nothing needs to be done. */
  readonly nextStep: string
  /** What the command ends with because of it; null when all is well. */
  readonly exit: ExitName | null
}

export const ok = (check: string, what: string): Finding => ({
  check,
  verdict: 'ok',
  what,
  nextStep: '',
  exit: null,
})

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

/** Mining goes on, with less than it could bring. */
export const warning = (given: Trouble): Finding => trouble('warning', given)

/** Nothing is earned like this. */
export const failure = (given: Trouble): Finding => trouble('failure', given)
