/**
 * True if durations are judged. They are measurements of the machine as much as of the code, so they are judged only
 * on request, with `HAILSTONE_STRICT_TIMES=1` on a machine that does nothing else. Everywhere else a test waits for
 * what has to happen, however long that takes.
 */
export const areTimesStrict = process.env.HAILSTONE_STRICT_TIMES !== undefined

/** Returns the limit of a duration in ms: the goal if durations are judged, else none. */
export const withinMs = (goalMs: number): number => (areTimesStrict ? goalMs : Number.POSITIVE_INFINITY)
