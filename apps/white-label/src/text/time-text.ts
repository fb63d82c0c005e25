const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** Keeps the formatters of one kind by language. A formatter takes about 30 kB, and lists format each of their rows. */
function keptByLanguage<Format>(create: (locale: string) => Format): (language: string) => Format {
  const kept = new Map<string, Format>()
  return (language) => {
    const known = kept.get(language)
    if (known !== undefined) return known
    const created = create(`${language}-u-nu-latn`)
    kept.set(language, created)
    return created
  }
}

const ages = keptByLanguage((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
const dates = keptByLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
)
const times = keptByLanguage((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }))
const narrow = (unit: 'hour' | 'minute' | 'second') =>
  keptByLanguage((locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' }))
const durations = { hour: narrow('hour'), minute: narrow('minute'), second: narrow('second') }

/** Formats an age in the largest unit that fits; seconds in steps of five, as each new text is a frame to draw. */
export function agoText(atMs: number, nowMs: number, language: string): string {
  const format = ages(language)
  const age = Math.max(0, nowMs - atMs)
  for (const [unit, ms] of units) {
    const count = Math.floor(age / ms)
    if (unit === 'second') return format.format(-(count - (count % 5)), unit)
    if (count > 0) return format.format(-count, unit)
  }
  return ''
}

/** Formats a duration in its two largest units. */
export function durationText(ms: number, language: string): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  const part = (value: number, unit: 'hour' | 'minute' | 'second'): string =>
    durations[unit](language).format(value)
  if (hours > 0) return `${part(hours, 'hour')} ${part(minutes, 'minute')}`
  return minutes > 0 ? `${part(minutes, 'minute')} ${part(seconds, 'second')}` : part(seconds, 'second')
}

const days = keptByLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
const shortDays = keptByLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }),
)

const hours = keptByLanguage((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))
const dayHeads = keptByLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' }),
)

/** Formats a day with its year. */
export const dayText = (atMs: number, language: string): string => days(language).format(atMs)

/** Formats a day without its year, for an axis. */
export const shortDayText = (atMs: number, language: string): string => shortDays(language).format(atMs)

/** Formats an hour, for an axis. */
export const hourText = (atMs: number, language: string): string => hours(language).format(atMs)

/** Formats a day of the week of the current year, for the heading of its rows. */
export const dayHeadText = (atMs: number, language: string): string => dayHeads(language).format(atMs)

/** Formats a time of day. */
export const timeText = (atMs: number, language: string): string => times(language).format(atMs)

export const dateText = (atMs: number, language: string): string => dates(language).format(atMs)

/** Formats a time of day, with the date unless it is today. */
export function momentText(atMs: number, language: string): string {
  const isToday = new Date(atMs).toDateString() === new Date().toDateString()
  if (!isToday) return dateText(atMs, language)
  return times(language).format(atMs)
}
