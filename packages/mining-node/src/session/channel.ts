/** One socket, from opening to close. After `closed` or `failed` nothing more is reported. */
export type Channel = {
  /** Throws when the socket is not open. */
  readonly send: (text: string) => void
  /** Absent where the platform cannot ping, as in browsers. */
  readonly ping?: (() => void) | undefined
  /** Begins the closing handshake. */
  readonly close: (code: number) => void
  /** Ends the socket at once, without waiting for the other side, where the platform can. */
  readonly terminate: () => void
}

/** HTTP answer of a server that did not open a socket. */
export type UpgradeAnswer = {
  readonly status: number
  /** Delay requested by Retry-After; null if the header is missing or unreadable. */
  readonly retryAfterMs: number | null
}

/** Handlers that a channel calls while its socket is open. */
export type ChannelHandlers = {
  /** The socket is open. */
  readonly opened: () => void
  /** A text message came, whole. */
  readonly received: (text: string) => void
  /** A ping was answered. */
  readonly pong: () => void
  /** 1009 when a frame was larger than is read; `reason` is the text of the close frame. */
  readonly closed: (code: number, reason?: string | undefined) => void
  /** Could not be opened; `detail` is what the system said, `answer` what a server answered in HTTP. */
  readonly failed: (detail: string, answer?: UpgradeAnswer | undefined) => void
}

/** Opens a socket. Never throws: what goes wrong is reported as `failed`. */
export type OpenChannel = (parameters: {
  /** `ws:` or `wss:` address. */
  readonly url: string
  /** Larger frames end the channel with code 1009. */
  readonly frameLimitBytes: number
  readonly handlers: ChannelHandlers
}) => Channel
