const two = (number: number): string => String(number).padStart(2, '0')

/** Time of a line of a log, with day and zone of this machine: `2026-05-17T22:14:05+02:00`. */
export function stampText(at: Date = new Date()): string {
  const offset = -at.getTimezoneOffset()
  const distance = Math.abs(offset)
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`
  const local = new Date(at.getTime() + offset * 60_000)
  return local.toISOString().slice(0, 19) + zone
}

/** Time of a line on a screen that somebody looks at: `22:14:05`. */
export const clockText = (): string => new Date().toTimeString().slice(0, 8)
