import { ask, column, dateOf, type Figure, type FigureContext, tableOf } from './figure.ts'

export async function retention(context: FigureContext): Promise<Figure> {
  const rows = await ask(
    context,
    `select ${dateOf('week * 7 - 3')} as week, week as start, active_week - week as age, miners
    from cohort where token = $1 order by start, age`,
  )
  const ages = Math.max(0, ...rows.map(({ age }) => Number(age)))
  const weeks = [...new Set(rows.map(({ week }) => String(week)))]
  const columns = [
    column('week', 'Week that begins on', 'day'),
    column('size', 'New miners'),
    ...Array.from({ length: ages }, (_, at) => column(`age${at + 1}`, `After ${at + 1}`, 'percent')),
  ]
  const thisWeek = Math.floor((context.today + 3) / 7)
  const table = weeks.map((week) => {
    const own = rows.filter((row) => row.week === week)
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
    ],
  }
}
