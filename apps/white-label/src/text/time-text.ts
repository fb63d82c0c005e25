const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** Formats an age in the largest unit that fits. */
export function agoText(atMs: number, nowMs: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric: 'auto' })
  const age = Math.max(0, nowMs - atMs)
  for (const [unit, ms] of units) {
    if (age >= ms || unit === 'second') return format.format(-Math.floor(age / ms), unit)
  }
  return ''
}

/** Formats a duration in its two largest units. */
export function durationText(ms: number, language: string): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  const part = (value: number, unit: 'hour' | 'minute' | 'second'): string =>
    new Intl.NumberFormat(`${language}-u-nu-latn`, { style: 'unit', unit, unitDisplay: 'narrow' }).format(
      value,
    )
  if (hours > 0) return `${part(hours, 'hour')} ${part(minutes, 'minute')}`
  return minutes > 0 ? `${part(minutes, 'minute')} ${part(seconds, 'second')}` : part(seconds, 'second')
}

export const dateText = (atMs: number, language: string): string =>
  new Intl.DateTimeFormat(`${language}-u-nu-latn`, { dateStyle: 'medium', timeStyle: 'medium' }).format(atMs)

/** Formats a time of day, with the date unless it is today. */
export function momentText(atMs: number, language: string): string {
  const isToday = new Date(atMs).toDateString() === new Date().toDateString()
  if (!isToday) return dateText(atMs, language)
  return new Intl.DateTimeFormat(`${language}-u-nu-latn`, { timeStyle: 'medium' }).format(atMs)
}
