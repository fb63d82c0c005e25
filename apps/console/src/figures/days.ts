import { column, type FigureContext } from './figure.ts'

/** Number of days in a daily figure. */
const DAYS = 90
export const DAY = column('day', 'Day', 'day')

/** SQL of the days that a figure shows: the newest ones, from the first that the tables have. */
export const DAYS_SHOWN = `generate_series(greatest($2::int, (select min(day) from block)), $3::int) as days (day)`
/** SQL that joins the sums of each of these days; with the bounds that they have, only the rows between are read. */
export const JOIN_DAY =
  'left join token_day d on d.token = $1 and d.day = days.day and d.day between $2::int and $3::int'
/** Returns the first and the last day, for $2 and $3. */
export const daysShown = ({ today }: FigureContext): readonly number[] => [today - DAYS + 1, today]
