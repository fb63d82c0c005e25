import { type Attack, type Figure, isKept } from './attack.ts'

/** Result of one attack. */
export type Outcome = {
  readonly name: string
  readonly row: string
  readonly figures: readonly Figure[]
  /** Reason why there are no figures; null if the attack ran to its end. */
  readonly error: string | null
}

export const isOutcomeKept = ({ error, figures }: Outcome): boolean => error === null && figures.every(isKept)

const rounded = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1))

function boundOf({ atLeast, atMost, unit }: Figure): string {
  const bounds = [
    ...(atLeast === undefined ? [] : [`≥ ${rounded(atLeast)}`]),
    ...(atMost === undefined ? [] : [`≤ ${rounded(atMost)}`]),
  ]
  return bounds.length === 0 ? '' : `${bounds.join(', ')} ${unit}`.trim()
}

/** One table for each attack: name, value, bound, verdict. */
export function tableOf(outcome: Outcome): string {
  const head = `${outcome.row} ${outcome.name}: ${isOutcomeKept(outcome) ? 'held' : 'BROKEN'}`
  if (outcome.error !== null) return `${head}\n  ${outcome.error}`
  const lines = outcome.figures.map((figure) => {
    const value = `${rounded(figure.value)} ${figure.unit}`.trim()
    const bound = boundOf(figure)
    const verdict = bound === '' ? '' : isKept(figure) ? 'held' : 'BROKEN'
    return `  ${figure.name.padEnd(34)}${value.padStart(12)}   ${bound.padEnd(18)}${verdict}`.trimEnd()
  })
  return [head, ...lines].join('\n')
}

/** One line for each attack, for the end of a run. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const lines = outcomes.map((outcome) => {
    const broken = outcome.figures.filter((figure) => !isKept(figure)).map(({ name }) => name)
    const why = outcome.error ?? broken.join(', ')
    const verdict = isOutcomeKept(outcome) ? 'held' : `BROKEN: ${why}`
    return `  ${outcome.row.padEnd(6)}${outcome.name.padEnd(28)}${verdict}`
  })
  return ['attacks', ...lines].join('\n')
}

export const listOf = (attacks: readonly Attack[]): string =>
  attacks.map(({ name, row, what }) => `  ${row.padEnd(6)}${name.padEnd(28)}${what}`).join('\n')
