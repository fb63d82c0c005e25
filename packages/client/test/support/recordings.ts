import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One exchange with the public node software. */
export type Exchange = {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** Below `/api/v1`. */
  readonly path: string
  readonly request?: unknown
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

type File = {
  readonly exchanges?: readonly Recorded[]
  readonly cases?: readonly Recorded[]
}

type Recorded = {
  readonly name?: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly request?: unknown
  readonly status?: number
  readonly content_type?: string | null
  readonly body?: string
  readonly no_response?: boolean
}

const conformance = fileURLToPath(new URL('../../../conformance/', import.meta.url))

const fileAt = (path: string): File => JSON.parse(readFileSync(conformance + path, 'utf8')) as File

const recordedIn = (path: string): readonly Recorded[] => {
  const { exchanges, cases } = fileAt(path)
  return exchanges ?? cases ?? []
}

const withoutPrefix = (path: string): string => path.replace(/^\/api\/v1/, '')

/** Every recorded exchange of one file that was answered. */
export const exchangesOf = (path: string): readonly Exchange[] =>
  recordedIn(path)
    .filter(({ no_response }) => no_response !== true)
    .map((recorded) => ({
      name: recorded.name ?? `${recorded.method} ${recorded.path}`,
      method: recorded.method,
      path: withoutPrefix(recorded.path),
      request: recorded.request,
      status: recorded.status ?? 200,
      contentType: recorded.content_type ?? null,
      body: recorded.body ?? '',
    }))

/** Requests that the public node software never answers. */
export const unansweredOf = (path: string): readonly string[] =>
  recordedIn(path)
    .filter(({ no_response }) => no_response === true)
    .map((recorded) => withoutPrefix(recorded.path))

/** Cases of a vector file, as they are. */
export const casesOf = <Case>(path: string): readonly Case[] =>
  (JSON.parse(readFileSync(conformance + path, 'utf8')) as { readonly cases: readonly Case[] }).cases
