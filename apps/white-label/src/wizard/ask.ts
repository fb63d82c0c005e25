import type { Finding } from './verdicts.ts'

/** A setting of the schema. */
export type Setting = {
  readonly path: string
  readonly about: string
  readonly kind: string
  readonly choices: readonly string[]
  /** Size in bytes up to which a file of the setting is accepted; null if the setting names no file. */
  readonly maxBytes: number | null
}
export type Frame = { readonly mode: 'light' | 'dark'; readonly language: string; readonly url: string }
/** A finished look as its picture shows it; radii in CSS pixels. */
export type Look = {
  readonly background: string
  readonly backgroundEnd: string
  readonly text: string
  readonly primary: string
  readonly accent: string
  readonly radius: number
  readonly buttonRadius: number
  readonly hero: string
  readonly font: string
  readonly headings: string
}
export type View = {
  readonly values: Readonly<Record<string, string>>
  readonly findings: readonly Finding[]
  readonly screens: readonly { readonly path: string; readonly title: string; readonly language: string }[]
  readonly isReady: boolean
  /** Index of the brand. */
  readonly brand: number
  readonly brands: readonly { readonly name: string; readonly isChanged: boolean }[]
  readonly frames: readonly Frame[]
  /** Addresses of the app in local networks; empty unless the command was started with `--phone`. */
  readonly onPhones: readonly string[]
  /** Screen that the phones show. */
  readonly screen: string
  /** Name of the file, in the answer to saving; null if nothing was saved. */
  readonly saved?: string | null
  /** True if saving took in what was changed elsewhere. */
  readonly isChangedElsewhere?: boolean
  readonly fields: readonly Setting[]
  readonly looks: Readonly<Record<string, Look>>
  /** Look whose settings all equal those of the theme, or null. */
  readonly look: string | null
  readonly canUndo: boolean
  /** Settings before and after, as text; pictures have neither. */
  readonly changes: readonly {
    readonly path: string
    readonly before: string
    readonly after: string
  }[]
}
/** Sentence of the command, or null if the command does not answer. */
export type Failure = { readonly error: string | null }

/** Sends an edit of the brand that a field belongs to, whichever is shown by then, and shows the answer. */
export type Edit = (path: '/change' | '/files', body: object, field: Element) => Promise<View | Failure>

let asked: Promise<unknown> = Promise.resolve()

/** Sends requests in order, so that an older answer never overwrites a newer one. */
export function ask(path: string, body?: object): Promise<View | Failure> {
  const answered = asked.then(() => answerOf(path, body))
  asked = answered
  return answered
}

async function answerOf(path: string, body: object | undefined): Promise<View | Failure> {
  try {
    const answer = await fetch(
      path,
      body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
    )
    return (await answer.json()) as View | Failure
  } catch {
    return { error: null }
  }
}
