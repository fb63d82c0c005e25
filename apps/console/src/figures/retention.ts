import { ask, column, dateOf, type Figure, type FigureContext, tableOf } from './figure.ts'

/** Weeks that the figure shows; it has a column for each of them but the first. */
const WEEKS = 52

export async function retention(context: FigureContext): Promise<Figure> {
  const thisWeek = Math.floor((context.today + 3) / 7)
  const rows = await ask(
    context,
    `select ${dateOf('week * 7 - 3')} as week, week as start, active_week - week as age, miners
    from cohort where token = $1 and week > $2::int order by start, age`,
    [thisWeek - WEEKS],
  )
  const ages = Math.max(0, ...rows.map(({ age }) => Number(age)))
  const ofWeeks = new Map<string, (typeof rows)[number][]>()
  for (const row of rows) {
    const week = String(row.week)
    const own = ofWeeks.get(week) ?? []
    own.push(row)
    ofWeeks.set(week, own)
  }
  const columns = [
    column('week', 'Week that begins on', 'day'),
    column('size', 'New miners'),
    ...Array.from({ length: ages }, (_, at) => column(`age${at + 1}`, `After ${at + 1}`, 'percent')),
  ]
  const table = [...ofWeeks].map(([week, own]) => {
    const size = Number(own.find(({ age }) => age === 0)?.miners ?? 0)
    const start = Number(own[0]?.start ?? 0)
    const shares = Array.from({ length: ages }, (_, at): [string, number | null] => {
      const found = own.find(({ age }) => age === at + 1)
      const isPast = start + at + 1 <= thisWeek
      return [`age${at + 1}`, isPast ? Math.round((1000 * Number(found?.miners ?? 0)) / size) / 10 : null]
    })
    return { week, size, ...Object.fromEntries(shares) }
  })
  return {
    ...tableOf(columns, table),
    notes: [
      'Share of the miners of a week, by their first microblock, who mined again so many weeks later. Weeks begin on Mondays.',
      `The newest ${WEEKS} weeks.`,
    ],
  }
}
