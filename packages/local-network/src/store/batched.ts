import { isConnectionLoss } from '@hailstone/database'
import { isNodeError } from '@hailstone/protocol'
import { type RawBuilder, sql } from 'kysely'

/** Largest number of questions in one statement. */
const MAX_QUESTIONS = 64

type Waiting<Question, Answer> = {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns a function that collects reads of one kind and runs them as one statement: the first statement takes the reads
 * of one turn of the event loop, each further one those that were requested while the last one ran. The cost of a
 * statement depends little on how many reads it serves. A statement always starts after the reads that it serves were
 * requested, so no result is older than its request.
 *
 * @param ask runs one statement; returns the results in the order of the requests
 */
export function batched<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = []
  let isAsking = false

  async function answer(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await ask(batch.map(({ question }) => question))
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answer)
    } catch (error) {
      // A question that the engine refuses is not the fault of the others.
      if (batch.length === 1 || isAway(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await answer([one])
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) await answer(waiting.splice(0, MAX_QUESTIONS))
    isAsking = false
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (isAsking) return
      isAsking = true
      setImmediate(() => void run())
    })
}

/** True for a lost connection, and for a server that stayed away while it was asked again. */
const isAway = (error: unknown): boolean =>
  isConnectionLoss(error) || (isNodeError(error) && error.code === 'STORE_UNREACHABLE')

/** Writes texts as an array of the database. */
export const textArray = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/**
 * Returns an operand that `=` compares with each of these texts. They are one parameter, unlike those of an `in` list, of
 * which a statement takes at most 65,535.
 */
export const anyText = (texts: readonly string[]): RawBuilder<string> => sql`any(${textArray(texts)}::text[])`

/** Writes whole numbers as an array of the database. */
export const numberArray = (numbers: readonly number[]): string => `{${numbers.join(',')}}`

/** As {@link anyText}, for whole numbers. */
export const anyNumber = (numbers: readonly number[]): RawBuilder<number> =>
  sql`any(${numberArray(numbers)}::int[])`

/**
 * Writes the questions of one statement as rows `given`, from its first parameters on, each with its place from 1. Behind
 * a subquery the planner never knows how many there are, so the plan that it makes once is as good as a new one, and it
 * keeps that: seeing the arrays it planned anew for each statement, which took longer than to run it.
 *
 * @param columns name and type of each parameter's elements
 */
export function givenRows(columns: Readonly<Record<string, string>>): string {
  const arrays = Object.values(columns).map((type, at) => `(select $${at + 1}::${type}[])`)
  return `unnest(${arrays.join(', ')}) with ordinality as given (${[...Object.keys(columns), 'place'].join(', ')})`
}

/** Sorts rows by the question they answer. Places count from 1. */
export function rowsByPlace<Row extends { readonly place: number }>(
  rows: readonly Row[],
  questions: number,
): readonly (readonly Row[])[] {
  const found: Row[][] = Array.from({ length: questions }, () => [])
  for (const row of rows) found[row.place - 1]?.push(row)
  return found
}
