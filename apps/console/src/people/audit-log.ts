import type { AuditKind, PeopleQueries } from './people-tables.ts'
import { createTryLimit } from './try-limit.ts'

export type AuditEntry = {
  readonly at: Date
  readonly person: string | null
  readonly action: string
  readonly subject: string | null
  readonly kind: AuditKind
}

/** An entry without its time and kind, which the log adds. */
type Note = Omit<AuditEntry, 'at' | 'kind'>

/** What people did, and who signed in or was refused. */
export type AuditLog = {
  /** Notes a change, which is kept for a year. */
  readonly note: (entry: Note) => Promise<void>
  /** Notes a sign-in or a refused one; the same one is noted once a minute. The newest 10,000 are kept. */
  readonly noteSignIn: (entry: Note) => Promise<void>
  /**
   * Notes a sign-in once the answer is on its way. One that cannot be written waits for the next one, for a look at the
   * log, or for the end of the server.
   */
  readonly noteSignInLater: (entry: Note) => void
  /** Writes the sign-ins that wait for it. @throws whatever the tables throw; the others still wait */
  readonly writeNotes: () => Promise<void>
  /** The newest 200 changes and the newest 200 sign-ins. */
  readonly audit: () => Promise<readonly AuditEntry[]>
}

/** Entries about sign-ins that are kept, and entries of each kind that are shown. */
const [KEPT_SIGN_INS, SHOWN_ENTRIES] = [10_000, 200]
/** Time for which entries about changes are kept, in ms. Their number has no limit, so that none pushes out another. */
const CHANGES_MS = 366 * 86_400_000
/** Time in which the same sign-in is noted once, in ms. */
const SAME_SIGN_IN_MS = 60_000

/** Ids of the entries of a kind, the newest first. */
const newestOf = (queries: PeopleQueries, kind: AuditKind) =>
  queries.selectFrom('audit').select('id').where('kind', '=', kind).orderBy('id', 'desc')

async function addEntry(queries: PeopleQueries, now: number, entry: Omit<AuditEntry, 'at'>): Promise<void> {
  await queries
    .insertInto('audit')
    .values({ at: new Date(now), ...entry })
    .execute()
}

export async function noteChange(queries: PeopleQueries, now: number, entry: Note): Promise<void> {
  await addEntry(queries, now, { ...entry, kind: 'change' })
  await queries
    .deleteFrom('audit')
    .where('kind', '=', 'change')
    .where('at', '<', new Date(now - CHANGES_MS))
    .execute()
}

async function writeSignIn(queries: PeopleQueries, now: number, entry: Note): Promise<void> {
  await addEntry(queries, now, { ...entry, kind: 'sign-in' })
  const newestTooMany = newestOf(queries, 'sign-in').offset(KEPT_SIGN_INS).limit(1)
  await queries.deleteFrom('audit').where('kind', '=', 'sign-in').where('id', '<=', newestTooMany).execute()
}

export function createAuditLog({
  queries,
  now,
}: {
  readonly queries: PeopleQueries
  readonly now: () => number
}): AuditLog {
  const signIns = createTryLimit({ tries: 1, windowMs: SAME_SIGN_IN_MS, now })
  /** Sign-ins that wait to be written, the oldest first. */
  const waiting: { readonly at: number; readonly entry: Note }[] = []
  let writing: Promise<void> = Promise.resolve()
  /** Returns whether it is the first of its minute. */
  function keepNote(entry: Note): boolean {
    if (signIns(JSON.stringify(entry)) !== 0) return false
    waiting.push({ at: now(), entry })
    // The log would not keep more either.
    if (waiting.length > KEPT_SIGN_INS) waiting.shift()
    return true
  }
  async function writeWaiting(): Promise<void> {
    for (let note = waiting.shift(); note !== undefined; note = waiting.shift())
      try {
        await writeSignIn(queries, note.at, note.entry)
      } catch (error) {
        waiting.unshift(note)
        throw error
      }
  }
  function writeNotes(): Promise<void> {
    const done = writing.then(writeWaiting)
    writing = done.catch(() => {})
    return done
  }
  return {
    note: (entry) => noteChange(queries, now(), entry),
    async noteSignIn(entry) {
      if (keepNote(entry)) await writeNotes()
    },
    noteSignInLater(entry) {
      // The embedded database keeps everything else waiting while it writes, the answer too.
      if (keepNote(entry)) setImmediate(() => void writeNotes().catch(() => {}))
    },
    writeNotes,
    async audit() {
      await writeNotes()
      const shown = (kind: AuditKind) => newestOf(queries, kind).limit(SHOWN_ENTRIES)
      return queries
        .selectFrom('audit')
        .select(['at', 'person', 'action', 'subject', 'kind'])
        .where((is) => is.or([is('id', 'in', shown('change')), is('id', 'in', shown('sign-in'))]))
        .orderBy('id', 'desc')
        .execute()
    },
  }
}
