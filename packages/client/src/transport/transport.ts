/** One question to the network, relative to the base the transport was made for. */
export type TransportRequest = {
  readonly method: 'GET' | 'POST'
  /** Path below the base of the API, such as `/height`. */
  readonly path: `/${string}`
  /** Encoded, without the question mark. */
  readonly query?: string | undefined
  /** JSON text of a POST. */
  readonly body?: string | undefined
  /** The answer has to be complete within this time; a slow drip does not prolong it. */
  readonly timeoutMs: number
  /** Cancels; the promise then rejects with the signal's reason, untouched. */
  readonly signal?: AbortSignal | undefined
}

/** Answer of any status. The text is not parsed yet. */
export type TransportAnswer = {
  /** HTTP status. */
  readonly status: number
  /** The header of that name; null without one. */
  readonly contentType: string | null
  /** The header of that name, as sent. */
  readonly retryAfter?: string | null | undefined
  /** The whole body. */
  readonly text: string
  /** Base of the API node that answered, where there are several. */
  readonly source?: string | undefined
}

/**
 * Carries requests to one API. It never repeats a request and never judges an answer.
 *
 * `request` rejects with `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_TOO_LARGE`, `RESPONSE_INVALID` (not
 * UTF-8), `URL_REFUSED` (a redirect that is not followed), or the reason of the caller's signal.
 */
export type Transport = {
  /**
   * Sends one request. Rejects with `REQUEST_FAILED`, `REQUEST_TIMEOUT`, `RESPONSE_INVALID` or the reason of the
   * signal; any HTTP status is an answer.
   */
  readonly request: (request: TransportRequest) => Promise<TransportAnswer>
  /** Waits for what is under way and lets go of the connections. Can be called twice. */
  readonly close?: (() => Promise<void>) | undefined
  /** The node in use now, alone: what is asked through it comes from one source. */
  readonly pinned?:
    | (() => Transport & {
        /** Base of the API node. */
        readonly source: string
      })
    | undefined
  /** Every node alone, where there are several. */
  readonly nodes?:
    | (() => readonly (Transport & {
        /** Base of the API node. */
        readonly source: string
      })[])
    | undefined
  /** Says that what a node answered cannot be true. */
  readonly distrust?: ((source: string) => void) | undefined
}

/** Failure reason of a closed transport. Retrying cannot help. */
export const CLIENT_CLOSED = 'the client is closed'

/** Longest answer that is read, in bytes after decompression. */
export const RESPONSE_LIMIT_BYTES = 4 * 1024 * 1024

/** Parameters of the transports of this package. */
export type TransportParameters = {
  /** Base of the API. */
  readonly apiUrl: string
  /** Plain http to other hosts than this machine. @default false */
  readonly allowInsecure?: boolean | undefined
  /** @default 4 MiB */
  readonly limitBytes?: number | undefined
}
